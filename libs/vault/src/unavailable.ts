/** Codes of the system that mean "not now": nothing is wrong with the request, and it may be repeated unchanged. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the vault is full. Free space on it; what is waiting is written then.',
  EDQUOT: 'The disk quota of the vault is used up. Raise it or free space; what is waiting is written then.',
  EFBIG: 'A file of the vault would be larger than this process may write. Raise its file size limit (ulimit -f).',
  EROFS: 'The file system of the vault is read-only. Mount it writable; what is waiting is written then.',
  EACCES: 'This process may not read or write the vault. Give its user the vault’s files and folders.',
  EPERM: 'This process may not read or write the vault. Give its user the vault’s files and folders.',
  EIO: 'The disk of the vault reports errors. Check the disk; what is waiting is written then.',
  ENOENT:
    'The folder of the vault is missing, or its volume is not mounted: mount it again. If it is to be a new one, run annals vault off and start this process again.',
  ENOTDIR: 'A link or a file is in the place of a folder of the vault. Move it away, and put the folder there.',
  EEXIST: 'A link or a folder is in the place of a file of the vault. Move it away; the file is written then.',
  EMFILE: 'This process has too many open files. Raise its limit (ulimit -n).',
  ENFILE: 'This machine has too many open files. Raise its limit.',
};

/** How Git words these codes in its messages. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Out of diskspace/i, 'ENOSPC'],
  [/Disk quota exceeded/i, 'EDQUOT'],
  [/File too large/i, 'EFBIG'],
  [/Read-only file system/i, 'EROFS'],
  [/Permission denied|Operation not permitted/i, 'EACCES'],
  [/Input\/output error/i, 'EIO'],
  [/Too many open files/i, 'EMFILE'],
];

/**
 * The vault cannot be read or written at present: a full or read-only disk, missing rights, an absent volume. The caller
 * defers its work and tries again; nothing was half-written. The message says what to do and contains no text of a file.
 */
export class VaultUnavailableError extends Error {
  override readonly name = 'VaultUnavailableError';

  /** `code` is one of the system, as ENOSPC; `place` the folder or file concerned. */
  constructor(
    readonly code: string,
    readonly place: string,
    options?: ErrorOptions,
  ) {
    super(`${ADVICE[code] ?? 'The vault cannot be used at present.'} (${code}, ${place})`, options);
  }
}

/** Said by the vault itself, of places that must be there: from the file system these have other meanings. */
const OWN_CODES = ['ENOENT', 'ENOTDIR', 'EEXIST'];

/** The same error, or a `VaultUnavailableError` in place of one of the file system that means "not now". */
export function toVaultError(error: unknown, place: string): unknown {
  const code = readErrorCode(error);
  if (code === undefined || OWN_CODES.includes(code) || !Object.hasOwn(ADVICE, code)) return error;
  return new VaultUnavailableError(code, place, { cause: error });
}

/** The code of the system that this message of Git stands for, if it means "not now". */
export function findUnavailableCode(message: string): string | undefined {
  return WORDINGS.find(([wording]) => wording.test(message))?.[1];
}

/** `code` of an error of Node, as ENOENT. */
export function readErrorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
