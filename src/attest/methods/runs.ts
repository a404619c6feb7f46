import * as z from 'zod';
import { ownRun, reportedRun } from '../access.ts';
import { SCHEME } from '../identity.ts';
import { newId } from '../ids.ts';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import { HeldToken, newToken } from '../tokens.ts';
import type { Method } from './method.ts';
import { Count, RunId, RunTokenText } from './params.ts';

const MAX_EVENTS = 1000;
const MAX_TOKEN_S = 3600;
/** Of one agent: what is known of each is in memory until it ends. */
const MAX_OPEN = 1024;

const None = z.strictObject({});
/** Who the caller is to the signer, and which log it keeps. */
export const status: Method = {
  counts: false,
  call: async ({ config, log, signing }, { id, role, tenant }, params) => {
    paramsOf(None, params);
    return {
      identity: { scheme: SCHEME, subject: id.slice(SCHEME.length + 1) },
      role,
      tenant,
      log: { origin: config.origin, key: signing.ref, size: log.size },
    };
  },
};

const Begin = z.strictObject({ name: z.string().min(1).max(256) });
export const runBegin: Method = {
  counts: true,
  call: async ({ book }, caller, params) => {
    const { name } = paramsOf(Begin, params);
    if (caller.role !== 'agent')
      throw forbidden(`${caller.id} has the role ${caller.role}: only an identity of the role agent begins runs`);
    const [oldest] = book.open.get(caller.id) ?? [];
    if (oldest !== undefined && book.open.get(caller.id)!.size >= MAX_OPEN)
      throw invalid(`${MAX_OPEN} runs of ${caller.id} are open: end one, such as the oldest, ${oldest.id}`);
    const run = { id: newId(), tenant: caller.tenant };
    await book.record(run, { type: 'run.start', source: 'signer', data: { name, agent: caller.id } });
    return { run: run.id, agent: caller.id, tenant: caller.tenant };
  },
};

const End = z.strictObject({ run: RunId });
export const runEnd: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const run = ownRun(signer, caller, paramsOf(End, params).run);
    if (run.ended) throw invalid(`the run ${run.id} has ended already`);
    for (const { approval } of run.calls.values()) if (approval !== null) signer.shown.delete(approval.id);
    await signer.book.record(run, { type: 'run.end', source: 'signer', data: {} });
    return {};
  },
};

const Read = z.strictObject({
  run: RunId,
  run_token: RunTokenText,
  from: Count(Number.MAX_SAFE_INTEGER).optional(),
  limit: Count(MAX_EVENTS).optional(),
});
/** The records of a run in order, from a `run_seq` on: those that the log has published. */
export const read: Method = {
  counts: false,
  call: async (signer, caller, params) => {
    const { run: id, run_token, from = 0, limit = MAX_EVENTS } = paramsOf(Read, params);
    const run = reportedRun(signer, caller, id, run_token);
    const events = [];
    for (let at = from; at < run.seqs.length && events.length < limit; at++) {
      const written = signer.book.read(run, at);
      if (written === null) break;
      events.push(written.event);
    }
    return { events };
  },
};

const Token = z.strictObject({ run: RunId, ttl_s: z.number().int().min(1).max(MAX_TOKEN_S) });
/** A token with which another identity of the tenant may read this run and report for it: never sign, approve, or hand on. A new one ends the one before. */
export const runToken: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run: id, ttl_s } = paramsOf(Token, params);
    const run = ownRun(signer, caller, id);
    const token = newToken();
    const now = signer.book.nowMs();
    for (const [other, { until }] of signer.runTokens) if (now >= until) signer.runTokens.delete(other);
    signer.runTokens.set(run.id, { token: new HeldToken(token), until: now + ttl_s * 1000 });
    return { run_token: token };
  },
};
