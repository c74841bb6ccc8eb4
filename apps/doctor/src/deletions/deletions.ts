import { ConfigError, type Environment, loadConfig, EXIT_CODE_CONFIG } from '@annals/config';
import { type Clock, SystemRng, UuidV7Generator } from '@annals/domain';
import {
  chargeLostSpending,
  DeletionsFile,
  DeletionsFileError,
  exportDeletions,
  exportSpending,
  readSpendingFile,
  spendingPathOf,
  replayDeletions,
  type ReplayResult,
} from '@annals/storage';
import { randomBytes } from 'node:crypto';
import type { DeletionsArguments } from '../cli/parse-arguments.js';
import {
  describeConfigError,
  EXIT_CODE_UNAVAILABLE,
  fail,
  type Finding,
  FindingLog,
  ok,
  skip,
  warn,
} from '../report.js';
import { AuditUnavailableError, isNotMigrated, type OpenAudit, openAudit } from '../verify/open-audit.js';

interface DeletionsOptions {
  readonly env: Environment;
  readonly request: Omit<DeletionsArguments, 'command' | 'isJson'>;
  readonly clock: Clock;
  emit(finding: Finding): void;
}

interface DeletionsRun {
  readonly findings: readonly Finding[];
  /** 0, 1 for a list that is refused, 69 when the command could not run, 78 when the configuration is wrong. */
  readonly exitCode: number;
}

/** Appends to the list of deletions, or replays it on a restored store (docs/reference/deletions.md). */
export async function runDeletions(options: DeletionsOptions): Promise<DeletionsRun> {
  const log = new FindingLog((finding) => options.emit(finding));
  try {
    const audit = await openAudit(options.env);
    try {
      await (options.request.export === null ? replay(audit, options, log) : exportList(audit, options, log));
    } finally {
      await audit.close();
    }
    return { findings: log.findings, exitCode: 0 };
  } catch (error) {
    const [exitCode, ...findings] = explain(error);
    log.emit(...findings);
    return { findings: log.findings, exitCode };
  }
}

/** Rethrows an unexpected error. */
function explain(error: unknown): [exitCode: number, ...Finding[]] {
  if (error instanceof ConfigError) return [EXIT_CODE_CONFIG, ...describeConfigError(error)];
  if (error instanceof DeletionsFileError) return [1, { check: 'deletions', verdict: 'fail', found: error.message }];
  if (error instanceof AuditUnavailableError) {
    return [EXIT_CODE_UNAVAILABLE, { check: 'deletions', verdict: 'fail', found: error.message }];
  }
  if (isNotMigrated(error)) {
    const finding = fail(
      'deletions',
      'The schema is older than this version.',
      'Run the migration, then this command.',
    );
    return [EXIT_CODE_UNAVAILABLE, finding];
  }
  throw error;
}

async function exportList({ database, keys }: OpenAudit, { request, clock }: DeletionsOptions, log: FindingLog) {
  const file = request.export!;
  const now = clock.now();
  const list = await DeletionsFile.open(file, { keys, now });
  const count = await exportDeletions(database, list);
  await exportSpending(database, file, { keys, now });
  log.emit(ok('deletions.export', `${count} entries were appended to ${file}, which has ${list.last?.seq ?? 0}.`));
}

async function replay({ database, keys }: OpenAudit, { env, request, clock }: DeletionsOptions, log: FindingLog) {
  const file = request.replay!;
  const { isDryRun } = request;
  const { retention } = loadConfig(['retention'], env);
  const ids = new UuidV7Generator(clock, new SystemRng());
  const spending = await readSpendingFile(spendingPathOf(file), keys);
  const result = await replayDeletions(
    database,
    { file, keys, isDryRun },
    { clock, ids, randomBytes, purgeAfterMs: retention.purgeAfterMs, auditKey: keys[0] },
  );
  log.emit(describeReplay(result, { file, isDryRun }));
  if (spending === null) {
    const found = `There is no ${spendingPathOf(file)}: what was spent after the backup is in no ledger.`;
    log.emit(warn('deletions.spending', found, "Lower today's budget by it, if a model is paid for."));
  } else if (!isDryRun) {
    const charged = await chargeLostSpending(database, spending, { now: clock.now(), ids });
    log.emit(ok('deletions.spending', `${charged} micro-USD that were spent after the backup count in the budgets.`));
  }
}

function describeReplay(
  { kinds, entries }: ReplayResult,
  { file, isDryRun }: { readonly file: string; readonly isDryRun: boolean },
): Finding {
  const pending = Object.entries(kinds);
  if (pending.length === 0) {
    return skip('deletions.replay', `The store has carried out all ${entries} entries of ${file}.`);
  }
  const counts = pending.map(([kind, count]) =>
    isDryRun ? `${kind} ${count.entries}` : `${kind} ${count.deleted} of ${count.entries}`,
  );
  const what = isDryRun ? 'are not carried out in this store yet' : 'were carried out; of these the store still had';
  const total = pending.reduce((sum, [, count]) => sum + count.entries, 0);
  return ok('deletions.replay', `${total} of the ${entries} entries of ${file} ${what}: ${counts.join(', ')}.`);
}
