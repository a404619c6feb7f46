import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type JsonObject,
  type Mode,
  nativeCrypto,
  type Report,
  reportOf,
  type Signer,
  verify,
} from '../../src/index.ts';
import type { Documents } from '../documents.ts';
import { Lab, type LabFiles, type Witness } from '../lab/lab.ts';
import type { Play } from './scenarios.ts';

/** Where a run's evidence is, and how its incident is named. */
type Evidence = LabFiles & { readonly incident: string };
export type Run = {
  readonly play: Play;
  readonly evidence: Evidence;
  readonly marker: string;
  readonly witness: Witness;
};

/** What all runs of one demo share: a folder, the signer, and the documents that receipts name. */
export type Venue = {
  readonly folder: string;
  readonly trust: string;
  /** Called when a bundle is sealed. */
  readonly signer: () => Signer;
  readonly documents: Documents;
};

/** Plays one scenario through the A2A SDK while it is captured; leaves bundle and receipt in the folder. */
export const runPlay = async (play: Play, { folder, signer, documents }: Venue): Promise<Run> => {
  const { name, scenario, side } = play;
  // An incident is named after an opaque run, so that its name tells nothing of the scenario.
  const incident = `inc-${randomBytes(8).toString('hex')}`;
  const marker = `mark-${randomBytes(8).toString('hex')}`;
  const evidence = {
    incident,
    journal: join(folder, 'journals', `${name}.journal`),
    bundle: join(folder, 'traces', `${name}.bundle.json`),
    receipt: join(folder, 'receipts', `${name}.receipt.json`),
  };
  for (const place of ['journals', 'traces', 'receipts']) mkdirSync(join(folder, place), { recursive: true });
  const lab = new Lab({
    folder: join(folder, 'journals'),
    incident_id: incident,
    profile_id: documents.profile.document.profile_id,
  });
  try {
    const stage = await scenario.open(lab, scenario.setups[side]);
    await stage.act(scenario.script[side], { text: documents.definition(scenario.family)[side].input, marker });
  } finally {
    await lab.close();
  }
  const profile = documents.profile.document as JsonObject;
  const families = documents.families.map(({ document }) => document as JsonObject);
  lab.seal({ signer, profile, families }, evidence);
  return { play, evidence, marker, witness: lab.witness };
};

/** Verifies a run's evidence as it is on disk; a bundle given here takes the place of the one on disk. */
export const verifyRun = (
  { evidence }: Run,
  { trust, documents }: Venue,
  mode: Mode = 'full',
  bundle: Uint8Array = readFileSync(evidence.bundle),
): Report =>
  reportOf(
    verify(
      {
        bundle,
        receipt: readFileSync(evidence.receipt),
        profile: documents.profile.bytes,
        trust: readFileSync(trust),
        families: documents.families,
        settings: Buffer.from('{}'),
        expectedIncident: evidence.incident,
        mode,
        otherProfile: false,
      },
      nativeCrypto,
    ),
  );
