import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { acquireDataFolderLock, DataFolderInUseError } from '../data-folder-lock.js';
import { BackupError } from './manifest.js';
import type { BackupResult } from './write-backup.js';

// A running process is the only one that may read its database. It is asked by a file in its data folder, into which
// only its owner can write, and answers by another one.
const REQUEST_FILE = 'backup-request.json';
const ANSWER_FILE = 'backup-answer.json';
const POLL_MS = 200;
const LOOK_MS = 2_000;
const ACCEPT_TIMEOUT_MS = 15_000;

const requestSchema = z.strictObject({ id: z.string(), target: z.string(), withKeys: z.boolean() });
export type AskedBackup = z.infer<typeof requestSchema>;

const answerSchema = z.discriminatedUnion('state', [
  z.strictObject({ id: z.string(), state: z.literal('running') }),
  z.strictObject({
    id: z.string(),
    state: z.literal('done'),
    result: z.strictObject({ folder: z.string(), files: z.number(), bytes: z.number(), blockedMs: z.number() }),
  }),
  z.strictObject({ id: z.string(), state: z.literal('failed'), reason: z.string() }),
]);
type Answer = z.infer<typeof answerSchema>;

/** Asks the process that uses a data folder for a backup, and waits for it. @throws BackupError */
export async function askForBackup(dataFolder: string, asked: AskedBackup): Promise<BackupResult> {
  await rm(join(dataFolder, ANSWER_FILE), { force: true });
  await writeWhole(join(dataFolder, REQUEST_FILE), asked);
  try {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const answer = await readJson(join(dataFolder, ANSWER_FILE), answerSchema);
      if (answer?.id === asked.id && answer.state === 'done') return answer.result;
      if (answer?.id === asked.id && answer.state === 'failed') {
        throw new BackupError(`The running Annals could not write the backup (${answer.reason}): see its log.`);
      }
      if (answer === null && waitedMs >= ACCEPT_TIMEOUT_MS) {
        throw new BackupError('The running Annals does not take the request: stop it, then try again.');
      }
      // Not often: whoever holds the lock to look keeps a starting process from it.
      if (waitedMs % LOOK_MS === 0 && !isInUse(dataFolder))
        throw new BackupError('Annals ended meanwhile and wrote no backup: try again.');
      await delay(POLL_MS);
    }
  } finally {
    await rm(join(dataFolder, REQUEST_FILE), { force: true });
  }
}

/** Takes requests in a data folder until `signal` ends, one at a time. */
export async function serveBackupRequests(
  dataFolder: string,
  backUp: (asked: AskedBackup) => Promise<BackupResult>,
  { signal, pollMs = 500 }: { readonly signal: AbortSignal; readonly pollMs?: number },
): Promise<void> {
  const answer = (value: Answer) => writeWhole(join(dataFolder, ANSWER_FILE), value);
  while (!signal.aborted) {
    const asked = existsSync(join(dataFolder, REQUEST_FILE))
      ? await readJson(join(dataFolder, REQUEST_FILE), requestSchema)
      : null;
    if (asked) {
      const { id } = asked;
      await rm(join(dataFolder, REQUEST_FILE), { force: true });
      await answer({ id, state: 'running' });
      await answer(
        await backUp(asked).then(
          (result): Answer => ({ id, state: 'done', result }),
          (error: unknown): Answer => ({ id, state: 'failed', reason: reasonOf(error) }),
        ),
      );
    }
    await delay(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** A code or a name, not the text of an error. */
function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
}

function isInUse(dataFolder: string): boolean {
  try {
    acquireDataFolderLock(dataFolder).release();
    return false;
  } catch (error) {
    if (error instanceof DataFolderInUseError) return true;
    throw error;
  }
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

async function writeWhole(file: string, value: object): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
