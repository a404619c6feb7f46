import { parentPort, workerData } from 'node:worker_threads';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { createVerifier, type EvidenceFiles, type VerifierInput } from '../../src/verify/verify.ts';

const verifier = createVerifier(workerData as VerifierInput, nativeCrypto);

parentPort!.on('message', (files: EvidenceFiles) => {
  parentPort!.postMessage(JSON.stringify({ ...reportOf(verifier.verifyFiles(files)), inputs: [] }));
});
