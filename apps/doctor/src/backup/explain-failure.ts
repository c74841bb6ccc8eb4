import { ConfigError, EXIT_CODE_CONFIG } from '@annals/config';
import { BackupError, DataFolderInUseError, DataFolderUnusableError, DeletionsFileError } from '@annals/storage';
import { describeConfigError, EXIT_CODE_UNAVAILABLE, type Finding } from '../report.js';
import { AuditUnavailableError } from '../verify/open-audit.js';

const REFUSED = [BackupError, DeletionsFileError];
const UNAVAILABLE = [DataFolderInUseError, DataFolderUnusableError, AuditUnavailableError];
/** Codes of the operating system about files that a person can do something about. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: name a folder on another one.',
  EACCES: 'A folder cannot be written or read: give this user permission, or name another one.',
  EROFS: 'The folder is read-only: name another one.',
};

/** The command is for the embedded database, and the environment names a server. */
export const WRONG_PROFILE = new AuditUnavailableError(
  'This backs up the embedded database, and ANNALS_DATABASE_URL or ANNALS_REDIS_URL is set: for PostgreSQL, see docs/backup.md.',
);

/** Exit code and findings. Rethrows an unexpected error. */
export function explainBackupFailure(error: unknown, check: string): [exitCode: number, ...Finding[]] {
  if (error instanceof ConfigError) return [EXIT_CODE_CONFIG, ...describeConfigError(error)];
  const found = describe(error);
  if (found === undefined) throw error;
  return [REFUSED.some((kind) => error instanceof kind) ? 1 : EXIT_CODE_UNAVAILABLE, { check, verdict: 'fail', found }];
}

function describe(error: unknown): string | undefined {
  if ([...REFUSED, ...UNAVAILABLE].some((kind) => error instanceof kind)) return (error as Error).message;
  return FILE_ERRORS[(error as { code?: string } | null)?.code ?? ''];
}
