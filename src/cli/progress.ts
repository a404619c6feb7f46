/** Tells how far a long work is, in one line of standard error that is rewritten; silent when that is no terminal. */
export const progressOn = (stream: NodeJS.WriteStream) => {
  const write = (text: string): void => {
    if (stream.isTTY) stream.write(`\r\x1b[K${text}`);
  };
  return { step: (done: number, of: number, what: string) => write(`${done}/${of} ${what}`), end: () => write('') };
};
