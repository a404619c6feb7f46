import './no-eval.ts';
import { startReportPage } from './report-page.ts';
import { jsonReport } from './verification.ts';
import { startVerifierPage } from './verifier-page.ts';

// For whoever drives the page by a program: bytes of the four files to the text of the JSON report.
Object.assign(globalThis, { forensictrace: { jsonReport } });

if (document.body.dataset.page === 'verifier') startVerifierPage();
else startReportPage();
