import { type Environment, loadConfig } from '@annals/config';
import { type Clock, SystemRng, UuidV7Generator } from '@annals/domain';
import { askForBackup, backUpFolder, type BackupResult, DataFolderInUseError, DELETIONS_FILE } from '@annals/storage';
import { join, resolve } from 'node:path';
import type { BackupArguments } from '../cli/parse-arguments.js';
import { detectProfile } from '../load-settings.js';
import { type Finding, FindingLog, ok } from '../report.js';
import { explainBackupFailure, WRONG_PROFILE } from './explain-failure.js';

const MEGABYTE = 1_000_000;

interface BackupOptions {
  readonly env: Environment;
  readonly request: Omit<BackupArguments, 'command' | 'isJson'>;
  readonly clock: Clock;
  emit(finding: Finding): void;
}

export interface BackupRun {
  readonly findings: readonly Finding[];
  /** 0, 1 when a file was refused, 69 when it could not run, 78 when the configuration is wrong. */
  readonly exitCode: number;
}

/** Backs up the embedded database (docs/backup.md#embedded-profile): by its process if it runs, else itself. */
export async function runBackup(options: BackupOptions): Promise<BackupRun> {
  const { env, request, clock } = options;
  const log = new FindingLog((finding) => options.emit(finding));
  try {
    if (detectProfile(env) !== 'embedded') throw WRONG_PROFILE;
    const { embedded } = loadConfig(['embedded'], env);
    const dataFolder = resolve(embedded.dataDir);
    const asked = { target: resolve(request.target), withKeys: request.withKeys };
    const deletionsFile = resolve(embedded.deletionsFile ?? join(dataFolder, DELETIONS_FILE));
    const result = await backUp({ dataFolder, deletionsFile, ...asked }, clock);
    log.emit(ok('backup', describe(result)));
    return { findings: log.findings, exitCode: 0 };
  } catch (error) {
    const [exitCode, ...findings] = explainBackupFailure(error, 'backup');
    log.emit(...findings);
    return { findings: log.findings, exitCode };
  }
}

async function backUp(request: Parameters<typeof backUpFolder>[0], clock: Clock): Promise<BackupResult> {
  try {
    return await backUpFolder(request, clock.now());
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
  }
  const id = new UuidV7Generator(clock, new SystemRng()).next();
  const { dataFolder, target, withKeys } = request;
  return askForBackup(dataFolder, { id, target, withKeys });
}

function describe({ folder, files, bytes, blockedMs }: BackupResult): string {
  const size = `${files} files, ${(bytes / MEGABYTE).toFixed(1)} MB`;
  return `The backup is in ${folder}: ${size}. Requests waited for ${blockedMs} ms.`;
}
