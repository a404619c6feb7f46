/** What agents and services of a lab say they did, in their own log: written apart from any capture and never read by one. */
export type LogEntry =
  | { readonly what: 'card_chosen'; readonly agent: string; readonly host: string; readonly offered: readonly string[] }
  | { readonly what: 'skill_ran'; readonly agent: string; readonly skill: string; readonly text: string }
  | {
      readonly what: 'handed_on';
      readonly from: string;
      readonly to: string;
      readonly section: string | null;
    }
  | {
      readonly what: 'load_measured';
      readonly agent: string;
      readonly awaiting: number;
      readonly depth: number;
      readonly longestWaitUs: number;
      readonly windowUs: number;
    }
  | { readonly what: 'uri_read'; readonly agent: string; readonly uri: string; readonly text: string | null }
  | { readonly what: 'report_written'; readonly agent: string; readonly text: string }
  | {
      readonly what: 'sanitizer';
      readonly name: string;
      readonly version: string;
      readonly input: string;
      /** Null when it was bypassed. */
      readonly output: string | null;
    };
