import type { Chat, ChatMessage } from '../formats/chat.js';
import { leftOut } from '../formats/not-taken.js';
import { readClaude } from '../formats/read-claude.js';
import { readOpenAi } from '../formats/read-openai.js';
import { placeBy, sendWithoutNamed } from '../client/send-without-named.js';
import { readItems } from '../input/read-json.js';
import { BatchWatch } from './batch-watch.js';
import { chunkBySize } from './chunk-by-size.js';
import { type ImportContext, showProgress, snapshot } from './import-context.js';

const READERS = { openai: readOpenAi, claude: readClaude } as const;
export type ChatFormat = keyof typeof READERS;

/** Conversations that are posted at once: each is a request or a few. */
const AT_ONCE = 4;
/** Of one request: half of what the server takes, and a good deal less than a body may have. */
const MAX_MESSAGES = 250;
const MAX_BYTES = 500_000;
/** Batches that are being extracted while more is posted. */
const MAX_OPEN_BATCHES = 40;
const MESSAGE_PATH = /^body\.messages\[(\d+)\]/;

/** Posts the conversations of an export, so that memories are extracted from them like from any others. */
export async function importChats(format: ChatFormat, context: ImportContext): Promise<void> {
  const { command, input, progress, resumed, stateFile, tally } = context;
  const watch = new BatchWatch(context, resumed?.batches ?? []);
  const skipped = resumed?.position ?? 0;
  let position = 0;
  let group: Chat[] = [];
  let isFirst = true;
  const finishGroup = async () => {
    await finishAll(group.map((chat) => importChat(chat, context, watch, { isFirst })));
    group = [];
    isFirst = false;
    showProgress(context);
    if (command.isDryRun) return;
    await stateFile.write({ pass: 0, position, tally: snapshot(tally), batches: watch.open, standIns: [], pending: 0 });
    if (command.waits) await watch.settle(MAX_OPEN_BATCHES);
  };
  for await (const item of readItems(input, null, (bytes) => progress.advance(bytes))) {
    position += 1;
    if (position <= skipped) continue;
    const chat = READERS[format](item);
    if (chat) group.push(chat);
    else tally.addNotTaken(leftOut('conversation', `item ${position}`, 'items that are no conversation'));
    if (group.length === AT_ONCE) await finishGroup();
  }
  await finishGroup();
  if (command.waits && !command.isDryRun) await watch.settle(0);
}

/** Waits for all, also when some fail, and throws the first error: nothing goes on behind it. */
async function finishAll(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** `isFirst`: an interrupted import may have posted it, and have noted nothing of its batches. */
async function importChat(
  chat: Chat,
  context: ImportContext,
  watch: BatchWatch,
  { isFirst }: { readonly isFirst: boolean },
): Promise<void> {
  const { tally, command } = context;
  const { counts } = tally;
  for (const what of chat.notTaken) tally.addNotTaken(what);
  if (chat.messages.length === 0) {
    if (chat.notTaken.length === 0)
      tally.addNotTaken(leftOut('conversation', chat.id, 'conversations without messages'));
    return;
  }
  counts.conversations.read += 1;
  counts.messages.read += chat.messages.length;
  if (command.isDryRun) return;
  const chunks = chunkBySize(chat.messages, { items: MAX_MESSAGES, bytes: MAX_BYTES });
  let isNew = false;
  for (const [index, messages] of chunks.entries()) {
    isNew = (await postMessages(chat, messages, { isLast: index === chunks.length - 1 }, context, watch)) || isNew;
  }
  counts.conversations[isNew ? 'taken' : 'already_there'] += 1;
  if (isFirst && command.waits) await watch.addOpen({ user_id: command.user, thread_id: chat.id });
}

/** Whether any message was new. */
async function postMessages(
  { id }: Chat,
  messages: readonly ChatMessage[],
  { isLast }: { readonly isLast: boolean },
  { annals, command, tally }: ImportContext,
  watch: BatchWatch,
): Promise<boolean> {
  const { answer, named } = await sendWithoutNamed(
    messages,
    (rest) =>
      annals.conversations.create({
        user_id: command.user,
        thread_id: id,
        messages: [...rest],
        end: isLast,
        priority: 'bulk',
      }),
    placeBy(MESSAGE_PATH),
  );
  for (const { item, reason } of named) tally.addNotTaken({ kind: 'message', id: item.id, reason, isRefused: true });
  tally.counts.messages.refused += named.length;
  if (!answer) return false;
  tally.counts.messages.taken += answer.accepted;
  tally.counts.messages.already_there += answer.duplicates;
  watch.add(answer.batch_ids);
  return answer.accepted > 0;
}
