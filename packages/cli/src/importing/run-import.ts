import { Annals } from '@annals/sdk';
import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { explainError } from '../client/explain-error.js';
import type { Settings } from '../client/read-settings.js';
import type { ImportCommand } from '../arguments/read-arguments.js';
import { Failure } from '../failure.js';
import type { NotTaken } from '../formats/not-taken.js';
import { openInput } from '../input/open-input.js';
import { probe } from '../input/read-json.js';
import { type ProgressOutput, startProgress } from '../progress/progress.js';
import type { System } from '../system.js';
import { NOTHING_FOUND, renderReport } from '../report/render-report.js';
import { Tally } from '../report/tally.js';
import { checkWrittenFiles } from './check-written-files.js';
import { detectFormat, type KnownFormat } from './detect-format.js';
import { ANNALS_PASSES, importAnnals } from './import-annals.js';
import { importChats } from './import-chats.js';
import type { ImportContext } from './import-context.js';
import { importMem0, MEM0_PASSES } from './import-mem0.js';
import { StateFile } from './state-file.js';

/** Whatever fails in passing is tried again so often before the import is given up. */
const MAX_RETRIES = 8;
/** An import of many records is one transaction. */
const TIMEOUT_MS = 120_000;

const PASSES: Readonly<Record<KnownFormat, number>> = {
  annals: ANNALS_PASSES,
  mem0: MEM0_PASSES,
  openai: 1,
  claude: 1,
};

export interface ImportSystem extends System {
  readonly progress: ProgressOutput;
  readonly print: (line: string) => void;
}

/** Imports a file and prints the report. Returns the exit code. Throws `Failure`. */
export async function runImport(command: ImportCommand, settings: Settings, system: ImportSystem): Promise<number> {
  const input = await openInput(command.file);
  const { shape, beginning, isEmpty } = await probe(input);
  if (isEmpty && command.format !== 'annals') {
    system.print(NOTHING_FOUND);
    return 0;
  }
  const format = detectFormat(command.format, shape, beginning);
  const state = command.state ?? `${command.file}.annals-import`;
  await checkWrittenFiles({ input: command.file, state, notTaken: command.notTaken });
  const stateFile = new StateFile(state, {
    fingerprint: input.fingerprint,
    url: settings.url,
    apiKey: settings.apiKey,
    user: command.user,
    format,
    options: JSON.stringify([command.category, [...command.categories], command.fromUser ?? null]),
  });
  const resumed = command.isDryRun ? null : await stateFile.read();
  if (resumed) system.print('Goes on where it was interrupted.');
  const notTaken = command.notTaken === undefined ? null : await openList(command.notTaken, resumed ? 'a' : 'w');
  const tally = new Tally(resumed?.tally ?? null, (what: NotTaken) => notTaken?.write(`${JSON.stringify(what)}\n`));
  const progress = startProgress(input.bytes * PASSES[format], system.progress);
  const annals = new Annals({
    baseUrl: settings.url,
    apiKey: settings.apiKey,
    maxRetries: MAX_RETRIES,
    timeoutMs: TIMEOUT_MS,
  });
  const context: ImportContext = {
    annals,
    command,
    input,
    progress,
    tally,
    stateFile,
    resumed,
    now: system.now(),
    pause: system.pause,
  };
  const isExtracted = format === 'openai' || format === 'claude';
  const report = () => {
    for (const line of renderReport(tally.state, { ...command, isExtracted, hasWaited: command.waits }))
      system.print(line);
  };
  try {
    if (format === 'annals') await importAnnals(context);
    else if (format === 'mem0') await importMem0(context, shape);
    else await importChats(format, context);
  } catch (error) {
    progress.stop();
    report();
    throw explainError(error);
  } finally {
    notTaken?.end();
    if (notTaken) await finished(notTaken);
  }
  progress.finish();
  await stateFile.remove();
  report();
  return tally.hasFailures ? 1 : 0;
}

/** Opened before anything is taken, so that a wrong path is told at once. */
async function openList(file: string, flags: 'a' | 'w'): Promise<WriteStream> {
  try {
    return (await open(file, flags)).createWriteStream();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(`${file} cannot be written (${code}): give another path with --not-taken.`, 2, { cause: error });
  }
}
