import { findUnavailableCode, VaultUnavailableError } from '../unavailable.js';

/**
 * `git_missing`: no program `git`. `locked`: another program holds a lock of the repository. `busy`: a person is in the
 * middle of a merge, a rebase or on another branch. `moved`: the branch got another commit meanwhile. `unavailable`: the
 * disk. `timeout`: Git took too long. `unsupported`: a kind of repository that the vault does not write. `failed`: else.
 */
export type GitErrorCode =
  'git_missing' | 'locked' | 'busy' | 'moved' | 'unavailable' | 'timeout' | 'unsupported' | 'failed';

/** Git did not do what it was asked to. The message is a sentence for operators and contains no text of a file. */
export class GitError extends Error {
  override readonly name = 'GitError';

  constructor(
    readonly code: GitErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The disk or the rights of the vault: the caller defers its work. `cause` is a `VaultUnavailableError`. */
  get isUnavailable(): boolean {
    return this.code === 'unavailable';
  }

  /** Another program is at work in the repository, or was a moment ago: try again soon. */
  get isLocked(): boolean {
    return this.code === 'locked' || this.code === 'moved';
  }
}

/** Whether work is to be deferred until the vault can be used again, for errors of files and of Git. */
export function isVaultUnavailable(error: unknown): boolean {
  return error instanceof VaultUnavailableError || (error instanceof GitError && error.isUnavailable);
}

export const NO_REGULAR_FILE = 'is a link or no regular file';

/** `place` is what cannot be used: `.git` or something in it. */
export function unsupported(place: string, what: string): GitError {
  const how = 'Move .git away and start again: the vault then makes a repository of its own.';
  return new GitError('unsupported', `${place} ${what}. ${how}`);
}

const MAX_SHOWN = 300;
/** How Git words that it does not take the configuration of a repository. */
const BAD_CONFIG =
  /\b[Bb]ad (?:config|numeric config|boolean config|zlib compression)|Expected git repo version|unknown repository extension|\binvalid (?:value|mode|unit) .*\bconfig/;

/** The error of a run of Git that ended with this exit code or signal, after writing this to stderr. */
export function describeFailure(folder: string, command: string, ending: number | string, stderr: string): GitError {
  const unavailable = findUnavailableCode(stderr) ?? (ending === 'SIGXFSZ' ? 'EFBIG' : undefined);
  if (unavailable !== undefined) {
    const cause = new VaultUnavailableError(unavailable, folder);
    return new GitError('unavailable', cause.message, { cause });
  }
  if (/\.lock': File exists|Another git process/i.test(stderr))
    return new GitError(
      'locked',
      `Another program holds a lock of the Git repository of ${folder}. It is tried again; if no Git program runs there, remove the file that ends with .lock in its .git.`,
    );
  if (/cannot lock ref .* (?:but expected|already exists|unable to resolve)/i.test(stderr))
    return new GitError('moved', `The branch of the Git repository of ${folder} got another commit meanwhile.`);
  if (BAD_CONFIG.test(stderr))
    return new GitError(
      'unsupported',
      `Git does not take the configuration of the repository of ${folder}: ${firstLine(stderr)}. Correct or delete its file .git/config.`,
    );
  return new GitError(
    'failed',
    `git ${command} failed in ${folder} (${ending}): ${firstLine(stderr)}. Check the repository with git fsck.`,
  );
}

// What follows this message is a line of the stream, which may be a line of a file.
function firstLine(stderr: string): string {
  const line = stderr.split('\n', 1)[0]!.replace(/(Unsupported command|Expected .*?|Invalid .*?): .*/, '$1');
  return line.slice(0, MAX_SHOWN) || 'no message';
}
