/** The first stage at which a message fell short, as the pre-registration orders them. */
export const REASON_CLASSES = [
  'bad-input',
  'signature',
  'replay',
  'schema',
  'grants',
  'claim failed',
  'claim unproven',
  'none',
] as const;
export type ReasonClass = (typeof REASON_CLASSES)[number];

/** What both verifiers say of a message that they read. */
type Judged = {
  readonly verdict: string;
  readonly signature?: { readonly ok: boolean };
  readonly replay?: { readonly ok: boolean | null };
  readonly schema?: { readonly ok: boolean | null };
  readonly grants?: { readonly result: string };
  readonly claims?: readonly { readonly result: string }[];
};

/** Takes the result of either verifier; returns its reason class. */
export const reasonClassOf = ({ verdict, signature, replay, schema, grants, claims = [] }: Judged): ReasonClass => {
  if (verdict === 'bad-input') return 'bad-input';
  if (signature?.ok === false) return 'signature';
  if (replay?.ok === false) return 'replay';
  if (schema?.ok === false) return 'schema';
  if (grants?.result === 'failed') return 'grants';
  if (claims.some(({ result }) => result === 'failed')) return 'claim failed';
  // A claim that the schema lists and that nothing proven meets is unproven too.
  return verdict === 'accept-unproven' ? 'claim unproven' : 'none';
};
