import type { ByteSource } from '../base/byte-source.ts';
import type { JsonObject } from '../base/json-value.ts';
import { COLLECTIONS } from '../evidence/collections.ts';
import { viewsOf } from '../evidence/record-view.ts';
import { scanBundle } from '../evidence/scan-bundle.ts';
import { readBundle } from '../verify/parse.ts';

/** The members of records that name an agent. */
const MEMBERS = ['agent', 'caller_agent', 'client_agent', 'destination_agent', 'server_agent', 'source_agent'] as const;

/** The lists of an intact bundle: as it was scanned, or as it was read where it is spelled otherwise. */
const listsOf = (bundle: ByteSource): readonly (readonly object[])[] => {
  const tables = scanBundle(bundle);
  if (tables !== null) {
    const named = COLLECTIONS.map((collection) => tables[collection]).filter(({ members }) =>
      members.some(({ name }) => (MEMBERS as readonly string[]).includes(name)),
    );
    return named.map((table) => viewsOf(table));
  }
  const read = readBundle(bundle);
  if (!read.ok) throw new Error('an intact bundle could not be read');
  return COLLECTIONS.map((collection) => (read.value.value as JsonObject)[collection] as readonly object[]);
};

/** The names of the agents in the records of an intact bundle, sorted, each once. */
export const agentsIn = (bundle: ByteSource): readonly string[] => {
  const agents = new Set<string>();
  for (const rows of listsOf(bundle)) {
    for (const row of rows) {
      for (const member of MEMBERS) {
        const agent = (row as Partial<Record<string, unknown>>)[member];
        if (typeof agent === 'string') agents.add(agent);
      }
    }
  }
  return [...agents].sort();
};
