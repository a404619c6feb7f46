import type { ServedRequest } from '../../../harness/lab/network.ts';
import type { RecordOf } from '../../../src/evidence/bundle.ts';
import { agentAt, at, type Case, callsOf, type Expected, hold, parsed, sha256, wholeBody } from './compare.ts';
import { exchangeIdOf } from './exchanges.ts';

type Part = Expected<'artifacts'>;

const list = (value: unknown): object[] => (Array.isArray(value) ? (value as object[]) : []);

/** The parts in the answer that a server sent: of a message, or of a task's artifacts. */
const partsOf = (given: Case, observer: string, call: ServedRequest): Part[] => {
  const result = at(parsed(call.response), 'result');
  const shared = {
    observer,
    exchange_id: exchangeIdOf(given, observer, call),
    wire_event: null,
    agent: agentAt(call.host),
    part_kind: 'text',
    filename: null,
    part_url: null,
    append: null,
    last_chunk: null,
    appends_to: null,
    wire_issue: null,
  };
  const message = at(result, 'message');
  const ofMessage = list(at(message, 'parts')).map((part, part_index) => ({
    ...shared,
    payload: 'message',
    artifact_index: null,
    part_index,
    task_id: at(message, 'taskId'),
    context_id: at(message, 'contextId'),
    artifact_id: null,
    name: null,
    media_type: at(part, 'mediaType'),
    content: wholeBody(at(part, 'text') as string),
  }));
  const ofTask = list(at(result, 'task', 'artifacts')).flatMap((artifact, artifact_index) =>
    list(at(artifact, 'parts')).map((part, part_index) => ({
      ...shared,
      payload: 'task_artifact',
      artifact_index,
      part_index,
      task_id: at(result, 'task', 'id'),
      context_id: at(result, 'task', 'contextId'),
      artifact_id: at(artifact, 'artifactId'),
      name: at(artifact, 'name'),
      media_type: at(part, 'mediaType'),
      content: wholeBody(at(part, 'text') as string),
    })),
  );
  return [...ofMessage, ...ofTask];
};

/** The same part as the answer holds it. */
const inAnswer = (part: Part): Part => ({ ...part, raw: null });

/** The same part as it was on the bus of the server, before the answer was made of it. */
const onBus = (part: Part): Part =>
  part.payload === 'message'
    ? part
    : { ...part, payload: 'artifact_update', artifact_index: null, append: false, last_chunk: true };

const rawOf = (part: RecordOf<'artifacts'>): string[] => {
  if (part.raw === null) return ['artifacts: an event of the bus without its text'];
  const event = parsed(part.raw.text);
  const parts = at(event, 'message', 'parts') ?? at(event, 'artifactUpdate', 'artifact', 'parts');
  return hold(
    'artifacts',
    [part],
    [{ raw: wholeBody(part.raw.text), content: wholeBody(at(parts, 0, 'text') as string) }],
  );
};

export const artifacts = (given: Case): string[] => {
  const { bundle } = given;
  const fromBus = bundle.artifacts.filter(({ observer, raw }) => observer === 'sdk-server' && raw !== null);
  const atServer = callsOf(given, 'sdk-server').flatMap((call) => partsOf(given, 'sdk-server', call));
  const atClient = callsOf(given, 'sdk-client').flatMap((call) => partsOf(given, 'sdk-client', call));
  const others = bundle.artifacts.filter((part) => !fromBus.includes(part));
  return [
    ...hold('artifacts', fromBus, atServer.map(onBus)),
    ...fromBus.flatMap(rawOf),
    ...hold(
      'artifacts',
      others.filter(({ observer }) => observer === 'sdk-server'),
      atServer.map(inAnswer),
    ),
    ...hold(
      'artifacts',
      others.filter(({ observer }) => observer !== 'sdk-server'),
      atClient.map(inAnswer),
    ),
  ];
};

const reportIn = ({ bundle }: Case, text: string | undefined): string | undefined =>
  bundle.artifacts.find(({ observer, content }) => observer === 'sdk-client' && content?.text === text)
    ?.artifact_record_id;

const reportOf = ({ run }: Case): string | undefined =>
  run.witness.log.find((entry) => entry.what === 'report_written')?.text;

export const artifactRenders = (given: Case): string[] =>
  hold(
    'artifact_renders',
    given.bundle.artifact_renders,
    given.run.witness.pages.map(({ mode, mediaType, inputSha256 }) => ({
      artifact_record_id: reportIn(given, reportOf(given)),
      renderer: 'report-panel',
      interpreted_as: mediaType,
      mode,
      input_sha256: inputSha256,
      sanitizer_id: given.bundle.sanitizers[0]?.sanitizer_id,
      observer: 'application',
    })),
  );

export const sanitizers = (given: Case): string[] =>
  hold(
    'sanitizers',
    given.bundle.sanitizers,
    given.run.witness.log
      .filter((entry) => entry.what === 'sanitizer')
      .map(({ name, version, input, output }) => ({
        artifact_record_id: reportIn(given, input),
        name,
        version,
        applied: output !== null,
        input_sha256: sha256(input),
        output: output === null ? null : wholeBody(output),
        observer: 'application',
      })),
  );
