import type { ImportedConversation, ImportedMemory, ImportedMessage } from '@annals/sdk';
import { leftOut, type OnNotTaken } from '../formats/not-taken.js';
import type { AnnalsLine } from '../formats/read-annals.js';
import { measure } from './chunk-by-size.js';
import { type ConversationPart, RECORDS_OF_REQUEST } from './import-records.js';

/** What was read up to a line. */
export interface Positioned<Part> {
  readonly part: Part;
  /** The number of the last line of it. */
  readonly position: number;
}

/**
 * The conversations of an export in parts that fit a request, behind a line. Lines of conversations come a page at a
 * time before the messages of each: no more than a page of them is in memory. Parts with the same position come together,
 * so that a position says which of them were sent. Messages of conversations that are not on the page are not taken.
 */
export async function* readConversationParts(
  lines: AsyncIterable<AnnalsLine>,
  skipped: number,
  onNotTaken: OnNotTaken,
): AsyncGenerator<Positioned<readonly ConversationPart[]>> {
  const page = new Map<string, { conversation: ImportedConversation; isBegun: boolean }>();
  let messages: ImportedMessage[] = [];
  let current: string | null = null;
  let bytes = 0;
  let position = 0;
  const endPart = (): ConversationPart[] => {
    const open = current === null ? undefined : page.get(current);
    if (!open || messages.length === 0) return [];
    const part = { conversation: open.conversation, messages, isContinued: open.isBegun };
    open.isBegun = true;
    messages = [];
    bytes = 0;
    return [part];
  };
  const endPage = (at: number): ConversationPart[] => {
    const last = endPart();
    const empty = at > skipped ? [...page.values()].filter(({ isBegun }) => !isBegun) : [];
    page.clear();
    current = null;
    return [...last, ...empty.map(({ conversation }) => ({ conversation, messages: [], isContinued: false }))];
  };
  function* give(part: readonly ConversationPart[], at: number): Generator<Positioned<readonly ConversationPart[]>> {
    if (part.length > 0) yield { part, position: at };
  }
  for await (const line of lines) {
    position += 1;
    if (line.is === 'conversation') {
      if (current !== null) yield* give(endPage(position - 1), position - 1);
      page.set(line.id, { conversation: line.conversation, isBegun: false });
    }
    if (line.is !== 'message') continue;
    const { conversationId, message } = line;
    const open = page.get(conversationId);
    if (!open) {
      if (position > skipped) onNotTaken(leftOut('message', message.id, 'messages without their conversation'));
      continue;
    }
    if (conversationId !== current) yield* give(endPart(), position - 1);
    current = conversationId;
    if (position <= skipped) {
      open.isBegun = true;
      continue;
    }
    const size = measure(message);
    if (messages.length >= RECORDS_OF_REQUEST.items || bytes + size > RECORDS_OF_REQUEST.bytes)
      yield* give(endPart(), position - 1);
    messages.push(message);
    bytes += size;
  }
  yield* give(endPage(position), position);
}

/** The memories of an export in parts that fit a request, behind a line. */
export async function* readMemoryParts(
  lines: AsyncIterable<AnnalsLine>,
  skipped: number,
): AsyncGenerator<Positioned<readonly ImportedMemory[]>> {
  let part: ImportedMemory[] = [];
  let bytes = 0;
  let position = 0;
  for await (const line of lines) {
    position += 1;
    if (line.is !== 'memory' || position <= skipped) continue;
    const size = measure(line.memory);
    if (part.length >= RECORDS_OF_REQUEST.items || (part.length > 0 && bytes + size > RECORDS_OF_REQUEST.bytes)) {
      yield { part, position: position - 1 };
      part = [];
      bytes = 0;
    }
    part.push(line.memory);
    bytes += size;
  }
  if (part.length > 0) yield { part, position };
}
