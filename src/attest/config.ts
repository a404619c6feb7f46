import { dirname, resolve } from 'node:path';
import type * as z from 'zod';
import { hostOfName } from '../pcm/hosts.ts';
import { PCM_LIMITS } from '../pcm/limits.ts';
import { readStrict } from '../pcm/strict-json.ts';
import { TOOL_CLASSES, type ToolClass } from '../pcm/tools.ts';
import { plainOf } from '../pcm/value.ts';
import { isKeyName } from '../pcm/vkey.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readInput } from '../store/read.ts';
import { type ActionConfig, ConfigDocument } from './config-shape.ts';
import { exposedBy } from './exposed.ts';
import { identityOf, type Role } from './identity.ts';
import { type Policy, PolicyDocument, policyOf } from './policy.ts';
import { shapeFault } from './shape.ts';

/** A configuration that was read and fits together, every path absolute. */
export type SignerConfig = ConfigDocument & { readonly rules: Policy };

const documentOf = <T extends z.ZodType>(file: string, what: string, shape: T): z.infer<T> => {
  const refuse = (at: string, detail: string) =>
    new EnvironmentFault(`the ${what} ${file} is refused${at === '' ? '' : ` at ${at}`}: ${detail}`, [
      'docs/PCM-SIGNER.md shows one that works',
    ]);
  const read = readStrict(readInput(file, what), { what, maxBytes: PCM_LIMITS.documentBytes });
  if (!read.ok) throw refuse(read.findings[0].at, read.findings[0].detail);
  const plain = plainOf(read.value);
  const fault = shapeFault(shape, plain);
  if (fault !== null) throw refuse(fault.at, fault.detail);
  return shape.parse(plain);
};

/** The class that PCM must place an action's name in, if it places it at all. */
const CLASS_OF: Readonly<Record<ActionConfig['does'], ToolClass>> = { shell: 'shell', http: 'http', write: 'fs' };

const actionFault = ({ name, does }: ActionConfig): string | null => {
  const placed = TOOL_CLASSES.get(name);
  if (placed !== undefined && placed !== CLASS_OF[does])
    return `the action ${name} does ${does}, and PCM 0.1 places ${name} as a ${placed} tool: its results would prove what did not happen; name it after what it does`;
  // Reading and editing are of the class fs too, and are no writing of a whole file.
  return does === 'write' && placed !== undefined && name !== 'Write'
    ? `the action ${name} writes files: name it Write, or by a name that PCM 0.1 does not place`
    : null;
};

/** A host that is listed in another form than hosts are compared in would never be fetched from. */
const hostsFault = (action: ActionConfig): string | null => {
  const wrong = action.does === 'http' ? action.hosts.find((entry) => !isListedHost(entry)) : undefined;
  return wrong === undefined
    ? null
    : `the action ${action.name} lists ${wrong}: a host is written as host or host:port, in lower case`;
};

const isListedHost = (entry: string): boolean => {
  const reading = hostOfName(entry);
  return 'host' in reading && (entry === reading.host || entry.slice(0, entry.lastIndexOf(':')) === reading.host);
};

const repeated = (names: readonly string[]): string | undefined => names.find((name, i) => names.indexOf(name) !== i);

const approvalsFault = ({ approvals, identities }: ConfigDocument): string | null => {
  if (approvals === undefined) return null;
  const roles = new Map<string, Role>(identities.map(({ name, role }) => [identityOf(name), role]));
  const stranger = [...approvals.approvers, ...Object.keys(approvals.persons)].find((id) => !roles.has(id));
  if (stranger !== undefined) return `approvals names ${stranger}, which is not among the identities`;
  const noPerson = Object.keys(approvals.persons).find((id) => roles.get(id) !== 'person');
  return noPerson === undefined
    ? null
    : `approvals.persons names ${noPerson}, whose role is ${roles.get(noPerson)}: only an identity of the role person stands for one`;
};

const configFault = (config: ConfigDocument): string | null => {
  const twice = repeated(config.identities.map(({ name }) => name)) ?? repeated(config.actions.map(({ name }) => name));
  if (twice !== undefined) return `${twice} is named twice`;
  if (!isKeyName(config.origin)) return 'the origin is no name of a log: neither empty, nor with + or white space';
  const faults = config.actions.flatMap((action) => [actionFault(action), hostsFault(action)]);
  return faults.find((fault) => fault !== null) ?? approvalsFault(config);
};

const absolute = (action: ActionConfig, from: (path: string) => string): ActionConfig => {
  if (action.does === 'shell') return { ...action, cwd: from(action.cwd) };
  return action.does === 'write' ? { ...action, root: from(action.root) } : action;
};

/** Reads signer.json and the policy it names. Throws EnvironmentFault that says which member of which file is wrong. */
export const readConfig = (file: string): SignerConfig => {
  const config = documentOf(file, 'signer configuration', ConfigDocument);
  const refuse = (fault: string) => new EnvironmentFault(`the signer configuration ${file} is refused: ${fault}`);
  const fault = configFault(config);
  if (fault !== null) throw refuse(fault);
  const from = (path: string): string => resolve(dirname(file), path);
  const rules = policyOf(documentOf(from(config.policy), 'policy', PolicyDocument), nativeCrypto);
  if (typeof rules === 'string') throw new EnvironmentFault(`the policy ${from(config.policy)} is refused: ${rules}`);
  const located = {
    ...config,
    data_dir: from(config.data_dir),
    socket: from(config.socket),
    policy: from(config.policy),
    identities: config.identities.map((identity) => ({ ...identity, token_file: from(identity.token_file) })),
    actions: config.actions.map((action) => absolute(action, from)),
  };
  const reached = exposedBy(located, resolve(file));
  if (reached !== null) throw refuse(reached);
  return { ...located, rules };
};
