import type { ImportedMemory } from '@annals/sdk';
import { Failure } from '../failure.js';
import { leftOut, type NotTaken } from '../formats/not-taken.js';
import { type AnnalsLine, EXPORT_SCHEMA_VERSION, readAnnalsLine } from '../formats/read-annals.js';
import { readLines } from '../input/read-json.js';
import { type ImportContext, showProgress, snapshot } from './import-context.js';
import { RecordSender } from './import-records.js';
import { readConversationParts, readMemoryParts } from './read-annals-parts.js';

/** The user context and conversations, since memories rest on their messages; memories; and again those that refer to what came later. */
export const ANNALS_PASSES = 3;

/** Imports an export of Annals; the file is read once in each pass. */
export async function importAnnals(context: ImportContext): Promise<void> {
  const sender = new RecordSender(context, 'annals');
  const first = context.resumed?.pass ?? 0;
  const skippedIn = (pass: number) => (pass === first ? (context.resumed?.position ?? 0) : 0);
  if (first <= 0) {
    const lines = sendContext(readAll(context, { notes: skippedIn(0) }), sender, skippedIn(0));
    const addNotTaken = (what: NotTaken) => context.tally.addNotTaken(what);
    for await (const { part, position } of readConversationParts(lines, skippedIn(0), addNotTaken)) {
      for (const each of part) await sender.sendConversation(each);
      await note(context, sender, { pass: 0, position });
    }
  }
  if (first <= 1) {
    for await (const { part, position } of readMemoryParts(readAll(context), skippedIn(1))) {
      await sender.sendMemories(part);
      await note(context, sender, { pass: 1, position });
    }
  }
  if (sender.pending === 0 || context.command.isDryRun) return;
  for await (const { part, position } of readMemoryParts(readAll(context), skippedIn(2))) {
    const referring = part.filter(refersToOthers);
    if (referring.length > 0) await sender.sendMemories(referring, { isAgain: true });
    await note(context, sender, { pass: 2, position });
  }
}

/** Sends the user context on the way, which stands before everything else that is taken. */
async function* sendContext(
  lines: AsyncIterable<AnnalsLine>,
  sender: RecordSender,
  skipped: number,
): AsyncGenerator<AnnalsLine> {
  let position = 0;
  for await (const line of lines) {
    position += 1;
    if (line.is === 'user_context' && position > skipped) await sender.sendContext(line.context);
    yield line;
  }
}

/** `notes`: lines behind this one are noted that are not taken. */
async function* readAll(
  { input, progress, tally }: ImportContext,
  { notes = Infinity } = {},
): AsyncGenerator<AnnalsLine> {
  let position = 0;
  let isWhole = false;
  for await (const each of readLines(input, (bytes) => progress.advance(bytes))) {
    position += 1;
    const line = readAnnalsLine(each);
    if (line.is === 'manifest' && line.version !== EXPORT_SCHEMA_VERSION) throw wrongVersion(line.version);
    if (line.is === 'end') isWhole = true;
    if (position > notes) {
      if (line.is === 'left_out') tally.addNotTaken(line.what);
      if (line.is === 'unknown') tally.addNotTaken(leftOut('line', `line ${position}`, 'lines of an unknown form'));
    }
    yield line;
  }
  if (!isWhole) throw new Failure('The export was cut off: its last line is missing. Export it again.');
}

function wrongVersion(version: number): Failure {
  return new Failure(
    `The export has version ${version}, and this program reads ${EXPORT_SCHEMA_VERSION}: install a newer one.`,
  );
}

function refersToOthers({ superseded_by: successor, relations = [] }: ImportedMemory): boolean {
  return Boolean(successor) || relations.length > 0;
}

async function note(
  context: ImportContext,
  { standIns, messageStandIns, pending }: RecordSender,
  at: { readonly pass: number; readonly position: number },
): Promise<void> {
  showProgress(context);
  if (context.command.isDryRun) return;
  if (messageStandIns.size > 0) {
    // There can be as many as messages: an interrupted import learns them again from the beginning.
    await context.stateFile.remove();
    return;
  }
  const tally = snapshot(context.tally);
  await context.stateFile.write({ ...at, tally, batches: [], standIns: [...standIns], pending });
}
