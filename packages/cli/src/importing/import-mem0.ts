import type { ImportedMemory } from '@annals/sdk';
import { Failure } from '../failure.js';
import { leftOut } from '../formats/not-taken.js';
import { MEM0_HISTORY, MEM0_LISTS, Mem0History, readMem0, userOfMem0 } from '../formats/read-mem0.js';
import { readItems, type Shape } from '../input/read-json.js';
import { chunkBySize } from './chunk-by-size.js';
import { type ImportContext, showProgress, snapshot } from './import-context.js';
import { RECORDS_OF_REQUEST, RecordSender } from './import-records.js';

/** The history is read before the memories. */
export const MEM0_PASSES = 2;

/** Imports an export of mem0: a list of memories, or an object with lists of memories and of their history. */
export async function importMem0(context: ImportContext, shape: Shape): Promise<void> {
  const history = await readHistory(context, shape);
  const sender = new RecordSender(context, 'mem0');
  const skipped = context.resumed?.position ?? 0;
  const others = new OtherUsers(context.command.fromUser);
  const now = new Date(context.now).toISOString();
  let position = 0;
  let part: ImportedMemory[] = [];
  const finishPart = async () => {
    for (const memories of chunkBySize(part, RECORDS_OF_REQUEST)) await sender.sendMemories(memories);
    part = [];
    showProgress(context);
    if (context.command.isDryRun) return;
    const tally = snapshot(context.tally);
    const standIns = [...sender.standIns];
    await context.stateFile.write({ pass: 1, position, tally, batches: [], standIns, pending: 0 });
  };
  for await (const item of readMemories(context, shape)) {
    position += 1;
    const isOthers = others.has(item);
    if (position <= skipped) continue;
    if (isOthers) context.tally.addNotTaken(leftOut('memory', `item ${position}`, 'memories of other users of mem0'));
    else part.push(...readVersions(item, history, now, context));
    if (part.length >= RECORDS_OF_REQUEST.items) await finishPart();
  }
  await finishPart();
  if (others.isAmbiguous) {
    throw new Failure(
      'The file has memories of several users: those of the first one were taken. Name each with --from-user, one command for each.',
    );
  }
}

/** A memory with its earlier texts. */
function readVersions(
  item: unknown,
  history: Mem0History,
  now: string,
  { command: { category, categories }, tally }: ImportContext,
): readonly ImportedMemory[] {
  const id = String((item as { id?: unknown } | null)?.id);
  const read = readMem0(item, history.versionsOf(id), { category, categories, now });
  if (!read) {
    tally.addNotTaken(leftOut('memory', id, 'items that are no memory'));
    return [];
  }
  read.notTaken.forEach((what) => tally.addNotTaken(what));
  return read.memories;
}

async function readHistory({ input, progress }: ImportContext, shape: Shape): Promise<Mem0History> {
  const history = new Mem0History();
  const name = shape === 'list' ? null : MEM0_HISTORY;
  for await (const item of readItems(input, name, (bytes) => progress.advance(bytes))) history.add(item);
  return history;
}

/** Without items of the history. */
async function* readMemories({ input, progress }: ImportContext, shape: Shape): AsyncGenerator {
  const nothing = new Mem0History();
  const share = shape === 'list' ? 1 : MEM0_LISTS.length;
  for (const name of shape === 'list' ? [null] : MEM0_LISTS) {
    for await (const item of readItems(input, name, (bytes) => progress.advance(bytes / share))) {
      if (!nothing.add(item)) yield item;
    }
  }
}

/** Whose memories are left out: all but one user's. */
class OtherUsers {
  private first: string | null | undefined;
  isAmbiguous = false;

  constructor(private readonly named: string | undefined) {}

  has(item: unknown): boolean {
    const user = userOfMem0(item);
    if (this.named !== undefined) return user !== this.named;
    if (this.first === undefined) this.first = user;
    const isOther = user !== this.first;
    this.isAmbiguous ||= isOther;
    return isOther;
  }
}
