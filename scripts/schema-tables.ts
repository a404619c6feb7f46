import * as z from 'zod';

type Member = { readonly name: string; readonly type: string; readonly required: boolean; readonly meaning: string };

type Node = {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
};

const bounds = (node: Node): string => {
  const low = node.minimum ?? node.minLength;
  const high = node.maximum ?? node.maxLength;
  const safe = high === undefined || high === Number.MAX_SAFE_INTEGER ? undefined : high;
  const from = low === undefined || low === -Number.MAX_SAFE_INTEGER ? undefined : low;
  if (from === undefined && safe === undefined) return '';
  if (safe === undefined) return ` ≥ ${from}`;
  return from === undefined ? ` ≤ ${safe}` : ` ${from}..${safe}`;
};

const typeOf = (node: Node): string => {
  if (node.title !== undefined && node.type !== undefined && node.type === 'array' && node.maxItems !== undefined) {
    return `${node.title}, at most ${node.maxItems}`;
  }
  if (node.title !== undefined) return node.title;
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum !== undefined) return node.enum.map((value) => `\`${String(value)}\``).join(' \\| ');
  if (node.anyOf !== undefined) return node.anyOf.map((other) => typeOf(other)).join(' or ');
  if (node.type === 'array') return `list of ${node.items === undefined ? 'values' : typeOf(node.items)}`;
  return `${[node.type ?? 'value'].flat().join(' or ')}${bounds(node)}`;
};

/** A shape with a table of its own. */
const isNamed = (node: Node): boolean => node.title === 'body' || (node.anyOf?.some(isNamed) ?? false);

const walk = (node: Node, prefix: string): Member[] =>
  Object.entries(node.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const here = {
      name: path,
      type: typeOf(member),
      required: node.required?.includes(name) ?? false,
      meaning: member.description ?? '',
    };
    const shape = member.anyOf?.find(({ properties, items }) => properties ?? items) ?? member;
    const inner = shape.type === 'array' ? shape.items : shape;
    const suffix = shape.type === 'array' ? '[].' : '.';
    return [here, ...(inner === undefined || isNamed(member) ? [] : walk(inner, `${path}${suffix}`))];
  });

/** The members of an object schema, nested ones by path, as its JSON Schema states them. */
export const describeMembers = (schema: z.ZodType): readonly Member[] =>
  walk(z.toJSONSchema(schema, { unrepresentable: 'any', reused: 'inline' }) as Node, '');

const cell = (text: string): string => text.replace(/(?<!\\)\|/g, '\\|');

export const membersTable = (members: readonly Member[]): string =>
  `| member | type and bounds | required | meaning |\n|---|---|---|---|\n${members
    .map(
      ({ name, type, required, meaning }) =>
        `| \`${name}\` | ${cell(type)} | ${required ? 'yes' : 'no'} | ${cell(meaning)} |\n`,
    )
    .join('')}`;
