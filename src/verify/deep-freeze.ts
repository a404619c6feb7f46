/** Freezes a value of the restricted model with all it holds; recursion is as deep as the value. Returns it. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
};
