import type { WireIssue } from '../../base/wire-fields.ts';
import type { WireNode } from '../../base/wire-json.ts';
import { BARE_PAYLOADS, PAYLOAD_DISCRIMINATORS, PAYLOAD_KINDS, PAYLOAD_MEMBERS, type PayloadKind } from './paths.ts';
import { at, shortString } from './read-fields.ts';

export type Payload = { readonly kind: PayloadKind; readonly node: WireNode };
export type Payloads = { readonly payloads: readonly Payload[] } | { readonly issue: WireIssue };

/**
 * The A2A payloads that one JSON text holds, of 1.0 and 0.3. `within`: in the JSON-RPC `result`, in the outermost object, or in
 * `either` where the binding is not known. More than one means that peers may read the text differently. A name repeated on the way is the issue.
 */
export const payloadsIn = (root: WireNode, within: 'result' | 'root' | 'either'): Payloads => {
  const payloads: Payload[] = [];
  const result = within === 'root' ? null : at(root, 'result');
  if (result !== null && 'issue' in result) return result;
  const holders = [
    ...(within === 'result' ? [] : [root]),
    ...(result !== null && 'found' in result && result.found.kind === 'object' ? [result.found] : []),
  ];
  for (const holder of holders) {
    const held = heldBy(holder);
    if ('issue' in held) return held;
    for (const payload of held.payloads) payloads.push(payload);
  }
  return { payloads };
};

const heldBy = (holder: WireNode): Payloads => {
  const payloads: Payload[] = [];
  for (const kind of PAYLOAD_KINDS) {
    const there = at(holder, PAYLOAD_MEMBERS[kind]);
    if ('issue' in there) return there;
    if ('found' in there && there.found.kind === 'object') payloads.push({ kind, node: there.found });
  }
  const discriminator = shortString(holder, ['kind']);
  if (discriminator.issue === 'duplicate_name') return { issue: 'duplicate_name' };
  const kind =
    PAYLOAD_DISCRIMINATORS.get(discriminator.value ?? '') ?? (payloads.length === 0 ? bareKind(holder) : null);
  if (kind !== null) payloads.push({ kind, node: holder });
  return { payloads };
};

const bareKind = (node: WireNode): PayloadKind | null => {
  const has = (name: string): boolean => {
    const there = at(node, name);
    return 'issue' in there || ('found' in there && there.found.kind !== 'null');
  };
  const row = BARE_PAYLOADS.find(({ all, any }) => all.every(has) && (any.length === 0 || any.some(has)));
  return row?.kind ?? null;
};
