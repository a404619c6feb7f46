const freeze = (value: object): void => {
  Object.freeze(value);
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof member === 'object' && member !== null) freeze(member);
  }
};

/** Freezes a value of the restricted model with all it holds; recursion is as deep as the value. Returns it. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) freeze(value);
  return value;
};
