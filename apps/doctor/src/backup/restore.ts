import { type Environment, loadConfig } from '@annals/config';
import type { Clock } from '@annals/domain';
import { DELETIONS_FILE, migrate, openEmbeddedDatabase, restoreBackup } from '@annals/storage';
import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RestoreArguments } from '../cli/parse-arguments.js';
import { runDeletions } from '../deletions/deletions.js';
import { detectProfile } from '../load-settings.js';
import { type Finding, FindingLog, ok, skip, warn } from '../report.js';
import { renderVerificationSummary, runVerify } from '../verify/verify.js';
import type { BackupRun } from './backup.js';
import { explainBackupFailure, WRONG_PROFILE } from './explain-failure.js';

interface RestoreOptions {
  readonly env: Environment;
  readonly request: Omit<RestoreArguments, 'command' | 'isJson'>;
  readonly clock: Clock;
  emit(finding: Finding): void;
}

/**
 * Restores a backup of the embedded database, lets it forget again what was deleted after the backup, and verifies it
 * (docs/backup.md#embedded-profile).
 */
export async function runRestore(options: RestoreOptions): Promise<BackupRun> {
  const { env, request, clock } = options;
  const log = new FindingLog((finding) => options.emit(finding));
  const emit = (finding: Finding) => log.emit(finding);
  try {
    if (detectProfile(env) !== 'embedded') throw WRONG_PROFILE;
    const { embedded } = loadConfig(['embedded'], env);
    const dataFolder = resolve(embedded.dataDir);
    const list = resolve(embedded.deletionsFile ?? join(dataFolder, DELETIONS_FILE));
    // The list that comes with the backup has nothing that the backup lacks.
    const newest = request.deletions === null ? (existsSync(list) ? list : null) : resolve(request.deletions);
    const { manifest, replaced } = await restoreBackup({ backup: resolve(request.backup), dataFolder }, clock.now());
    emit(ok('restore', `The backup of ${manifest.created_at} is in ${dataFolder}.`));
    if (replaced !== null) {
      emit(skip('restore', `The database that was there is in ${replaced}: delete it when it is not needed any more.`));
    }
    await bringUpToDate(dataFolder);
    if (newest === null) {
      const found = 'No list of deletions was found that is newer than the backup.';
      emit(warn('deletions.replay', found, 'If there is one, restore again with --deletions <file>.'));
    } else {
      const replay = { export: null, replay: newest, isDryRun: false };
      const { exitCode } = await runDeletions({ env, clock, emit, request: replay });
      if (exitCode !== 0) return { findings: log.findings, exitCode };
      // The list goes on where the given one ends.
      if (newest !== list) await copyFile(newest, list);
    }
    const all = { tenant: null, exportHeads: null, against: null, receipt: null };
    const verification = await runVerify({ env, request: all, clock, emit });
    if (verification.exitCode === 0) emit(ok('audit', renderVerificationSummary(verification)));
    return { findings: log.findings, exitCode: verification.exitCode };
  } catch (error) {
    const [exitCode, ...findings] = explainBackupFailure(error, 'restore');
    log.emit(...findings);
    return { findings: log.findings, exitCode };
  }
}

/** A backup may be of an earlier release. */
async function bringUpToDate(folder: string): Promise<void> {
  const opened = await openEmbeddedDatabase({ location: { folder } });
  try {
    await migrate({ stream: opened.createStream });
  } finally {
    await opened.close();
  }
}
