import { type ArtifactPlace, artifactPlaces } from './artifact.ts';
import type { PayloadText } from './payload-text.ts';
import { holdsTransition } from './transition.ts';

/** What a capture records of one JSON text. */
export type Observation = { readonly kind: 'transition' } | ({ readonly kind: 'artifact' } & ArtifactPlace);

/**
 * Records for a text that a peer may have read and the extraction cannot: cut, nested too deep, not UTF-8, or with a name repeated on the way to
 * the payload. Their fields are null with the issue, so that the rules that need them say INCONCLUSIVE instead of passing over it.
 */
export const UNREADABLE: readonly Observation[] = [
  { kind: 'transition' },
  { kind: 'artifact', payload: 'artifact_update', artifact_index: null, part_index: null },
];

/** Every transition and part of one JSON-RPC response, stream event, StreamResponse, Task or Message; none of a text that no peer can read. */
export const observationsIn = (text: PayloadText): readonly Observation[] => {
  if ('issue' in text.whole) return text.whole.peers_read ? UNREADABLE : [];
  if ('issue' in text.payloads) return UNREADABLE;
  const artifacts = artifactPlaces(text).map((place) => ({ kind: 'artifact', ...place }) as const);
  return holdsTransition(text) ? [{ kind: 'transition' }, ...artifacts] : artifacts;
};
