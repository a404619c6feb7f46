import type { Face } from '../report/face.ts';
import { json } from './output.ts';

/** The faces of a report by name, each loaded when it is asked for. */
export const REPORT_FORMATS = {
  json:
    async () =>
    ({ report }) => [json(report)],
  text: async () => {
    const { textOf } = await import('../report/text.ts');
    return ({ report }, paint) => [textOf(report, paint)];
  },
  sarif: async () => (await import('../report/sarif/sarif.ts')).sarif,
  timesketch: async () => (await import('../report/timesketch.ts')).timesketch,
  otlp: async () => (await import('../report/otlp/otlp.ts')).otlp,
  mermaid: async () => (await import('../report/mermaid.ts')).mermaid,
  junit: async () => (await import('../report/junit.ts')).junit,
  html: async () => (await import('./web.ts')).htmlFace,
} as const satisfies Record<string, () => Promise<Face>>;

export type ReportFormat = keyof typeof REPORT_FORMATS;
