import { isObject, type JsonObject } from '../base/json-value.ts';
import { readDocument } from '../base/read-canonical.ts';
import { COLLECTIONS } from '../evidence/collections.ts';

/** The members of records that name an agent. */
const MEMBERS = ['agent', 'caller_agent', 'client_agent', 'destination_agent', 'server_agent', 'source_agent'] as const;

/** The names of the agents in the records of an intact bundle, sorted, each once. */
export const agentsIn = (bundle: Uint8Array): readonly string[] => {
  const read = readDocument(bundle, { input: 'bundle', recordAttributes: true });
  if (!read.ok) throw new Error('an intact bundle could not be read');
  const agents = new Set<string>();
  for (const collection of COLLECTIONS) {
    const rows = (read.value.value as JsonObject)[collection];
    for (const row of Array.isArray(rows) ? rows : []) {
      if (!isObject(row)) continue;
      for (const member of MEMBERS) {
        const agent = row[member];
        if (typeof agent === 'string') agents.add(agent);
      }
    }
  }
  return [...agents].sort();
};
