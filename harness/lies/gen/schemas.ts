import { hashOf } from '../receivers/jcs.ts';

type Document = Readonly<Record<string, unknown>> & { readonly name: string };

const MONEY = { type: 'money', currency: 'USD', max: 1_000_000 };
const ORDER = { type: 'int', min: 1, max: 999_999_999 };
const TASK = { type: 'id', pattern: '[a-z0-9-]{1,40}' };
const REGION = { type: 'enum', values: ['eu', 'us'], optional: true };
const NOTE = { type: 'string', max: 200, optional: true };

/** The schema documents that sender and receiver share. */
export const DOCUMENTS = {
  /** Work that is told; nothing of it has to be proven. */
  report: { pcm_schema: 0, name: 'work.report', fields: { task: TASK, note: NOTE } },
  /** Work that goes live when its tests pass. */
  merge: { pcm_schema: 0, name: 'work.merge', fields: { task: TASK, note: NOTE }, claims: ['tests_passed'] },
  /** A refund that a person approved as it stands. */
  refund: {
    pcm_schema: 0,
    name: 'refund.request',
    fields: { amount: MONEY, order: ORDER, note: NOTE },
    claims: ['approved_by'],
    tool: 'refund',
  },
  /** A refund within what a person granted. */
  granted: {
    pcm_schema: 0,
    name: 'refund.granted',
    fields: { amount: MONEY, order: ORDER, region: REGION },
    grant: true,
  },
  /** Like it, for another purpose. */
  credit: {
    pcm_schema: 0,
    name: 'credit.granted',
    fields: { amount: MONEY, order: ORDER, region: REGION },
    grant: true,
  },
  /** A payout under a grant whose approval is shown. */
  payout: {
    pcm_schema: 0,
    name: 'payout.order',
    fields: { amount: MONEY, order: ORDER },
    claims: ['approved_by'],
    grant: true,
  },
} as const satisfies Readonly<Record<string, Document>>;
export type SchemaName = keyof typeof DOCUMENTS;

export const refOf = (name: SchemaName): string => `${DOCUMENTS[name].name}@${hashOf(DOCUMENTS[name])}`;
