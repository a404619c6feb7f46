import type { AgentCard } from '@a2a-js/sdk';
import { encodeUtf8 } from '../base/utf8.ts';
import { makeBody } from '../evidence/body.ts';
import type { Body } from '../evidence/fields.ts';
import { type CaptureContext, within } from './context.ts';
import { NOT_FETCHED, recordCard, selectCard } from './record-card.ts';
import type { Fields } from './session.ts';
import { keyOf } from './trail.ts';
import { cardIdOf } from './transport-tap.ts';

/** A card object of the SDK, or the id under which its bytes were recorded. */
type CardOrId = AgentCard | string;
/** Some members may be left out: what was not seen is null. */
type Seen<T, Required extends keyof T> = Pick<T, Required> & Partial<T>;
/** Which artifact: its record, or A2A's own ids, or else the content handed over. */
export type WhichArtifact = {
  readonly artifact_record_id?: string;
  readonly task_id?: string;
  readonly artifact_id?: string;
};

export type Observers = ReturnType<typeof observersOf>;

/** What no hook of the SDK can see: an application calls these where it decides, routes, fetches and renders. None throws. */
export const observersOf = (context: CaptureContext) => {
  const { session, redactor, crypto, bodyLimit, trail, scope } = context;
  const bodyOf = (bytes: Uint8Array): Body => makeBody(redactor.content(bytes), bodyLimit, crypto);
  const digestOf = (bytes: Uint8Array): string => crypto.sha256Hex(redactor.content(bytes));
  const idOfCard = (card: CardOrId): string | null => (typeof card === 'string' ? card : cardIdOf(context, card));
  const idsOf = (cards: readonly CardOrId[]): string[] => cards.map(idOfCard).filter((id) => id !== null);

  const recordOf = ({ artifact_record_id, task_id, artifact_id }: WhichArtifact, bytes: Uint8Array): string | null =>
    artifact_record_id ??
    (artifact_id === undefined ? undefined : trail.artifacts.get(keyOf(task_id ?? null, artifact_id))) ??
    trail.contents.get(digestOf(bytes)) ??
    null;

  return {
    /** The endpoint that clients of this capture use at an interface URL; null when none does. */
    endpointAt: (url: string): string | null => context.cards.endpointOf(url)?.endpoint_id ?? null,

    /** The newest record of an artifact, by A2A's own ids; null when there is none. */
    artifactRecord: (task_id: string, artifact_id: string): string | null =>
      trail.artifacts.get(keyOf(task_id, artifact_id)) ?? null,

    /** A card the profile pins, as it is pinned: its bytes. Returns its id. */
    trustedCard: (card: string | Uint8Array): string | null =>
      session.attempt('record a trusted card', () =>
        recordCard(
          context,
          'trusted_cards',
          'profile',
          typeof card === 'string' ? encodeUtf8(card) : card,
          NOT_FETCHED,
        ),
      ),

    /** An agent chose among cards. Returns the id of the decision. */
    discoveryDecision: (decision: {
      readonly client_agent: string | null;
      readonly considered: readonly CardOrId[];
      readonly trusted?: readonly string[];
      readonly selected: CardOrId | null;
    }): string | null => {
      session.watches('discovery');
      return session.attempt('record a discovery decision', () => {
        const considered_card_ids = idsOf(decision.considered);
        const selected = decision.selected === null ? null : idOfCard(decision.selected);
        return session.record('discovery_events', context.reporter, {
          client_agent: decision.client_agent,
          considered_card_ids,
          trusted_card_ids: [...(decision.trusted ?? [])],
          selected_card_id: selected === null ? null : selectCard(context, selected),
        });
      });
    },

    /** An agent executed a capability, or was asked to; by default during the exchange that it is serving. */
    capabilityUse: (use: Seen<Fields<'capability_invocations'>, 'capability' | 'basis'>): string | null => {
      session.watches('capability_use');
      const exchange_id = scope.getStore()?.serving ?? null;
      return session.record('capability_invocations', context.reporter, { exchange_id, caller_agent: null, ...use });
    },

    /** Runs work and tells which exchanges it sent. Throws what the work throws. */
    sending: async <T>(
      work: () => Promise<T>,
    ): Promise<{ readonly value: T; readonly exchange_ids: readonly string[] }> => {
      const sent: string[] = [];
      return { value: await within(context, { sent }, work), exchange_ids: sent };
    },

    /** One agent sent to another. Returns the id, which the next step names as its predecessor. */
    routingStep: (
      step: Seen<Fields<'routing_events'>, 'exchange_id' | 'source_agent' | 'destination_agent' | 'predecessor'>,
    ): string | null => {
      session.watches('routing');
      const joined_by = step.predecessor === 'root' || step.predecessor === 'unknown' ? null : 'application';
      return session.record('routing_events', context.reporter, {
        joined_by,
        outcome: null,
        progress: null,
        progress_transition_id: null,
        progress_artifact_record_id: null,
        task_id: null,
        context_id: null,
        ...step,
      });
    },

    /** How loaded an agent is, as it counts itself. */
    taskLoad: (
      load: Seen<Fields<'task_load_snapshots'>, 'endpoint_id' | 'agent' | 'awaiting_input_count'>,
    ): string | null => {
      session.watches('task_load');
      const unseen = { queue_depth: null, latency_us: null, timeouts: null, window_us: null };
      return session.record('task_load_snapshots', context.reporter, { ...unseen, ...load });
    },

    /** One hop of a dereference that another fetcher than the observed one made, and the body of its response. */
    uriDereference: (
      hop: Fields<'uri_dereferences'>,
      response?: { readonly body: Uint8Array | null },
    ): string | null => {
      session.watches('uri_dereference');
      return session.attempt('record a dereference', () => {
        const dereference_id = session.record('uri_dereferences', context.reporter, {
          ...hop,
          uri: redactor.text(hop.uri),
        });
        if (dereference_id !== null && response !== undefined) {
          const body = response.body === null ? null : bodyOf(response.body);
          session.record('dereference_responses', context.reporter, { dereference_id, status: hop.status, body });
        }
        return dereference_id;
      });
    },

    /** A sanitizer worked on an artifact, or was bypassed (`output` null). Returns the id that the render names. */
    sanitizer: (
      run: WhichArtifact & {
        readonly name: string;
        readonly version: string | null;
        readonly input: Uint8Array;
        readonly output: Uint8Array | null;
      },
    ): string | null =>
      session.attempt('record a sanitizer', () =>
        session.record('sanitizers', context.reporter, {
          artifact_record_id: recordOf(run, run.input),
          name: run.name,
          version: run.version,
          applied: run.output !== null,
          input_sha256: digestOf(run.input),
          output: run.output === null ? null : bodyOf(run.output),
        }),
      ),

    /** A renderer was handed bytes. */
    render: (
      run: WhichArtifact & {
        readonly renderer: string;
        readonly interpreted_as: string | null;
        readonly mode: Fields<'artifact_renders'>['mode'];
        readonly input: Uint8Array;
        readonly sanitizer_id?: string | null;
      },
    ): string | null => {
      session.watches('artifact_render');
      return session.attempt('record a render', () =>
        session.record('artifact_renders', context.reporter, {
          artifact_record_id: recordOf(run, run.input),
          renderer: run.renderer,
          interpreted_as: run.interpreted_as,
          mode: run.mode,
          input_sha256: digestOf(run.input),
          sanitizer_id: run.sanitizer_id ?? null,
        }),
      );
    },
  };
};
