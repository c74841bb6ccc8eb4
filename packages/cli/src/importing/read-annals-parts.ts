import type { ImportedConversation, ImportedMemory, ImportedMessage } from '@annals/sdk';
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
 * time before the messages of each: no more than a page of them is in memory.
 */
export async function* readConversationParts(
  lines: AsyncIterable<AnnalsLine>,
  skipped: number,
): AsyncGenerator<Positioned<ConversationPart>> {
  const page = new Map<string, { conversation: ImportedConversation; isBegun: boolean }>();
  let messages: ImportedMessage[] = [];
  let current: string | null = null;
  let bytes = 0;
  let position = 0;
  function* endPart(at: number): Generator<Positioned<ConversationPart>> {
    const open = current === null ? undefined : page.get(current);
    if (!open || messages.length === 0) return;
    yield { part: { conversation: open.conversation, messages, isContinued: open.isBegun }, position: at };
    open.isBegun = true;
    messages = [];
    bytes = 0;
  }
  function* endPage(at: number): Generator<Positioned<ConversationPart>> {
    yield* endPart(at);
    for (const { conversation, isBegun } of page.values()) {
      if (!isBegun && at >= skipped) yield { part: { conversation, messages: [], isContinued: false }, position: at };
    }
    page.clear();
    current = null;
  }
  for await (const line of lines) {
    position += 1;
    if (line.is === 'conversation') {
      if (current !== null) yield* endPage(position - 1);
      page.set(line.id, { conversation: line.conversation, isBegun: false });
    }
    if (line.is !== 'message') continue;
    if (line.conversationId !== current) yield* endPart(position - 1);
    current = line.conversationId;
    const open = page.get(current);
    if (position <= skipped) {
      if (open) open.isBegun = true;
      continue;
    }
    const size = measure(line.message);
    if (messages.length >= RECORDS_OF_REQUEST.items || bytes + size > RECORDS_OF_REQUEST.bytes)
      yield* endPart(position - 1);
    messages.push(line.message);
    bytes += size;
  }
  yield* endPage(position);
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
