const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What to paste next. */
export const nextCommand = (
  { bundle, receipt }: { readonly bundle: string; readonly receipt: string },
  {
    profile,
    families,
    settings,
    trust,
  }: { readonly profile: string; readonly families?: string; readonly settings?: string; readonly trust?: string },
): string => {
  const options = Object.entries({ families, settings, trust }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return ['npx forensictrace verify', ...[bundle, receipt, profile, ...options].map(quoted)].join(' ');
};
