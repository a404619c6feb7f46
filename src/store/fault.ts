const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  ERR_FS_FILE_TOO_LARGE: 'the file is larger than 2 GiB',
};

/** The environment failed (a file, a permission), as against a refusal of evidence or a bug. Says what and where in one line; what to do, line by line. */
export class EnvironmentFault extends Error {
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[] = []) {
    super(message);
    this.advice = advice;
  }

  static of(error: unknown, what: string): EnvironmentFault {
    const { code, message } = error as NodeJS.ErrnoException;
    return new EnvironmentFault(`${what}: ${(code !== undefined && WORDS[code]) || message}`);
  }
}
