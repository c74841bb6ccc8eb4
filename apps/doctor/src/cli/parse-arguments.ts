import { parseArgs } from 'node:util';

export const USAGE = `Usage: annals doctor [--offline] [--json]
       annals verify [--tenant <name>] [--export-heads <file>] [--against <file>] [--receipt <file>] [--json]
       annals deletions --export <file> | --replay <file> [--dry-run] [--json]
       annals backup [<folder>] [--without-keys] [--json]
       annals restore <backup> [--deletions <file>] [--json]
       annals vault check [--tenant <name or id>] [--user <id>] [--repair] [--json]
       annals vault off [--json]

doctor checks configuration, stores, models and budgets of this environment, and prints what to change. It sends a few
sample conversations to each configured model and reports what that cost.

  --offline  calls no model and no embedding server, and does not count the stored vectors

verify recomputes the audit history of every user, checks the receipts of erasures, and prints every inconsistency.

  --tenant        verifies one tenant only
  --export-heads  writes the signed heads of all histories to a new file: store it outside of this installation
  --against       compares the histories with such a file, which also detects rewritten and truncated histories
  --receipt       verifies one receipt of an erasure, and nothing else

deletions keeps the list of what was deleted on request, which a restored backup needs to forget it again.

  --export   appends what was deleted since the last export to this file, and begins it when there is none
  --replay   deletes what the list says and the restored store still has: before the services start
  --dry-run  only says what would be replayed

backup copies the embedded database, while it runs or not, into a new folder in <folder>, by default ./backups.

  --without-keys  leaves secret.key and bootstrap-key out: without the first, the copy cannot be written to

restore puts a backup into the data folder, which no process may use, replays the list of deletions and verifies.

  --deletions  the newest list; by default that of the data folder

vault check compares the files of the vault with the database and with their Git history, and prints every difference.
What still waits to be written is none.

  --tenant  checks one tenant only
  --user    checks one user only
  --repair  asks for folders with differences to be written again as a whole

vault off ends the vault: nothing is written any more. Its folder stays.

  --json  prints one JSON document

Exit codes: 0 nothing wrong, 1 a check failed or a file was refused, 64 wrong arguments, 69 it could not run, 78 wrong
configuration.`;

export type DoctorArguments = ReturnType<typeof parseDoctor>;
export type VerifyArguments = ReturnType<typeof parseVerify>;
export type DeletionsArguments = NonNullable<ReturnType<typeof parseDeletions>>;
export type BackupArguments = NonNullable<ReturnType<typeof parseBackup>>;
export type RestoreArguments = NonNullable<ReturnType<typeof parseRestore>>;
export type VaultArguments = NonNullable<ReturnType<typeof parseVault>>;
type Arguments =
  DoctorArguments | VerifyArguments | DeletionsArguments | BackupArguments | RestoreArguments | VaultArguments;

const PARSERS = {
  doctor: parseDoctor,
  verify: parseVerify,
  deletions: parseDeletions,
  backup: parseBackup,
  restore: parseRestore,
  vault: parseVault,
} as const satisfies Record<string, (args: string[]) => Arguments | null>;

/** Null for unknown or incomplete arguments. */
export function parseArguments([command = '', ...args]: readonly string[]): Arguments | null {
  if (!Object.hasOwn(PARSERS, command)) return null;
  try {
    return PARSERS[command as keyof typeof PARSERS](args);
  } catch {
    return null;
  }
}

const FLAG = { type: 'boolean', default: false } as const;
const TEXT = { type: 'string' } as const;

function parseDoctor(args: string[]) {
  const { values } = parseArgs({ args, options: { offline: FLAG, json: FLAG } });
  return { command: 'doctor' as const, isOffline: values.offline, isJson: values.json };
}

/** `tenant` is a name, null for all; the others are paths of files, null for none. */
function parseVerify(args: string[]) {
  const options = { tenant: TEXT, 'export-heads': TEXT, against: TEXT, receipt: TEXT, json: FLAG };
  const { values } = parseArgs({ args, options });
  return {
    command: 'verify' as const,
    tenant: values.tenant ?? null,
    exportHeads: values['export-heads'] ?? null,
    against: values.against ?? null,
    receipt: values.receipt ?? null,
    isJson: values.json,
  };
}

/** One of the two is the path of a list, the other null. */
function parseDeletions(args: string[]) {
  const { values } = parseArgs({ args, options: { export: TEXT, replay: TEXT, 'dry-run': FLAG, json: FLAG } });
  const isDryRun = values['dry-run'];
  if ((values.export === undefined) === (values.replay === undefined)) return null;
  if (isDryRun && values.replay === undefined) return null;
  return {
    command: 'deletions' as const,
    export: values.export ?? null,
    replay: values.replay ?? null,
    isDryRun,
    isJson: values.json,
  };
}

function parseBackup(args: string[]) {
  const options = { 'without-keys': FLAG, json: FLAG };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [target = 'backups', ...others] = positionals;
  if (others.length > 0) return null;
  return { command: 'backup' as const, target, withKeys: !values['without-keys'], isJson: values.json };
}

function parseRestore(args: string[]) {
  const options = { deletions: TEXT, json: FLAG };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [backup, ...others] = positionals;
  if (backup === undefined || others.length > 0) return null;
  return { command: 'restore' as const, backup, deletions: values.deletions ?? null, isJson: values.json };
}

/** `tenant` is a name or an id, `user` an id, null for all. */
function parseVault([action = '', ...args]: string[]) {
  const { values } = parseArgs({ args, options: { tenant: TEXT, user: TEXT, repair: FLAG, json: FLAG } });
  const { tenant = null, user = null, repair: repairs, json: isJson } = values;
  const command = 'vault' as const;
  if (action === 'check') return { command, action: 'check' as const, tenant, user, repairs, isJson };
  if (action !== 'off' || tenant !== null || user !== null || repairs) return null;
  return { command, action: 'off' as const, isJson };
}
