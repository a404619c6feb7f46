import type { JsonObject, PcmClaim, PcmEvidence } from '../../../../src/index.ts';
import type { Desk } from '../desk.ts';
import { type Change, editing } from '../forge.ts';
import { type Cited, file, host, type Scene, tests } from '../scene.ts';
import { tell, times } from '../telling.ts';

const EXECUTED: Change = { source: 'gateway', tier: 'T2' };
const KINDS = ['tests', 'hosts', 'files'] as const;
type Kind = (typeof KINDS)[number];

/** The agent's own word for something that was not so: a suite that it ran and that failed, a host that refused, a file that it never wrote. */
type Word = {
  readonly tool: string;
  readonly args: JsonObject;
  readonly seen: JsonObject;
  readonly claim: (evidence: PcmEvidence) => PcmClaim;
};
const WORDS: Readonly<Record<Kind, (desk: Desk, scene: Scene) => Promise<Word>>> = {
  tests: async (desk) => {
    const suite = await desk.failing(desk.random.below(9));
    return {
      tool: 'Bash',
      args: { command: suite.command },
      seen: { via: 'executor', exit_code: 0 },
      claim: (evidence) => tests(suite.command, evidence),
    };
  },
  hosts: async (desk, scene) => {
    const named = desk.host();
    return {
      tool: 'WebFetch',
      args: { url: scene.urlOf(named) },
      seen: { via: 'executor', status: 200 },
      claim: (evidence) => host(named, evidence),
    };
  },
  files: async (desk, scene) => {
    const file_path = scene.path(`out/${desk.name()}.md`);
    return {
      tool: 'Write',
      args: { file_path, content: 'done\n' },
      seen: { via: 'executor' },
      claim: (evidence) => file(file_path, 'done\n', evidence),
    };
  },
};

/** Names that an agent gives to tools of its own. */
const TOOLS: Readonly<Record<Kind, string>> = { tests: 'gateway:Bash', hosts: 'T2.WebFetch', files: 'executor/Write' };

type Dress = (evidence: PcmEvidence, seen: JsonObject, n: number) => PcmEvidence;
const asTold: Dress = (evidence) => evidence;
const inData: Dress = (evidence, seen, n) => editing(evidence, 1, { data: { ...seen, tier: 'T2' } }, n % 2 === 0);
const inEvent: Dress = (evidence, _, n) =>
  n % 2 === 0 ? editing(evidence, 1, EXECUTED, true) : editing(editing(evidence, 0, EXECUTED, true), 1, EXECUTED, true);

/** L8: the agent's own result (T1) dressed as an executor's (T2). */
export const dressed = async (desk: Desk): Promise<void> => {
  const one = async (
    part: string,
    how: string,
    n: number,
    dress: Dress,
    word: (scene: Scene, word: Word, kind: Kind) => Promise<Cited>,
  ) => {
    const scene = await desk.begin();
    const kind = KINDS[n % KINDS.length]!;
    const said = await WORDS[kind](desk, scene);
    const evidence = dress(await scene.evidence(await word(scene, said, kind)), said.seen, n);
    await tell(desk, 'L8', { part, how, scene, claims: [said.claim(evidence)] });
  };
  await times(10, (n) =>
    one('data', 'the name of the call says that an executor made it', n, asTold, (scene, { tool, args }) =>
      scene.told(tool, args, true, `gateway:T2:executor:${desk.name()}`),
    ),
  );
  await times(10, (n) =>
    one(
      'data',
      "what an executor writes, written into the data of the agent's result",
      n,
      inData,
      (scene, { tool, args }) => scene.told(tool, args),
    ),
  );
  await times(10, (n) =>
    one('event', "source and tier of the agent's result made an executor's", n, inEvent, (scene, { tool, args }) =>
      scene.told(tool, args),
    ),
  );
  await times(10, (n) =>
    one('tool', 'the tool is named like that of an executor', n, asTold, (scene, { args }, kind) =>
      scene.told(TOOLS[kind], args),
    ),
  );
};
