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
} as const satisfies Record<string, () => Promise<Face>>;

export type ReportFormat = keyof typeof REPORT_FORMATS;
