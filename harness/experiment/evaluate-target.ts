import type { Bundle } from '../../src/index.ts';
import type { Target } from './model.ts';

const ofMessage = ({ exchanges }: Bundle, messageId: string): ReadonlySet<string> =>
  new Set(exchanges.filter(({ message_id }) => message_id === messageId).map(({ exchange_id }) => exchange_id));

/** A key that fits several records tells of none of them. */
const sole = (ids: readonly string[]): readonly string[] => (ids.length === 1 ? ids : []);

/**
 * The ids of the records in a bundle that an external target stands for, each found by its key (`Target`). None when the key
 * fits none or several; but an artifact is recorded wherever it was seen, at the server and at the client, and each of these
 * records is it.
 */
export const recordsAt = (bundle: Bundle, target: Target): readonly string[] => {
  switch (target.key) {
    case 'card_sha256':
      return sole(bundle.selected_cards.filter(({ raw }) => raw.sha256 === target.value).map(({ card_id }) => card_id));
    case 'capability_of_message': {
      const exchanges = ofMessage(bundle, target.value);
      return sole(
        bundle.capability_invocations
          .filter(({ exchange_id }) => exchanges.has(exchange_id ?? ''))
          .map(({ invocation_id }) => invocation_id),
      );
    }
    case 'step_of_message': {
      const exchanges = ofMessage(bundle, target.value);
      return sole(
        bundle.routing_events
          .filter(({ exchange_id }) => exchanges.has(exchange_id ?? ''))
          .map(({ routing_id }) => routing_id),
      );
    }
    case 'load_reading': {
      const { queue_depth, latency_us, window_us } = target.value;
      return sole(
        bundle.task_load_snapshots
          .filter(
            (load) =>
              load.queue_depth === queue_depth && load.latency_us === latency_us && load.window_us === window_us,
          )
          .map(({ snapshot_id }) => snapshot_id),
      );
    }
    case 'response_request_id':
      return sole(
        bundle.dereference_responses
          .filter(({ body }) => body?.text.includes(target.value))
          .flatMap(({ dereference_id }) => dereference_id ?? []),
      );
    case 'artifact_of_task':
      return bundle.artifacts
        .filter(({ task_id }) => task_id === target.value)
        .map(({ artifact_record_id }) => artifact_record_id);
  }
};
