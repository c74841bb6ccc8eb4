import {
  type ExtractedItem,
  type ExtractedMemory,
  MAX_INSTANT,
  MAX_MEMORY_LENGTH,
  MIN_INSTANT,
} from '@annals/contracts';
import {
  type CitableMessage,
  composeProcedure,
  createSliceMeter,
  findProcedure,
  type FoundProcedure,
  groundMemory,
  isQuotedFrom,
  type Sliced,
} from '@annals/domain';
import { arrangeItems, filterItems } from '../arrange-items.js';
import { attributeMemory } from './attribute-memories.js';
import type { BatchReading } from './read-batch.js';
import { splitItems } from './split-items.js';

export interface BatchMessage extends CitableMessage {
  readonly id: string;
  readonly actorId: string | null;
}

/** Until a person has confirmed it, a procedure is not served (docs/reference/extraction.md#procedures). */
export const UNCONFIRMED = 'unconfirmed_procedure';
/** Of a procedure. High, since the user explicitly requested to store it. */
const PROCEDURE_CONFIDENCE = 0.95;
const PROCEDURE_IMPORTANCE = 3;

/**
 * Turns a model's memories into items to write: each with its grounded evidence, or the reason why it is quarantined
 * (docs/reference/extraction.md#quarantine), and attributed to the person who said it; with the procedures of the batch,
 * arranged (`arrangeItems`). `messages` are the batch's, in order. `isDivided`: the memories are of the local provider,
 * which divides compound statements itself, and keeps those whole of which a half says nothing alone.
 */
export function* groundAnswer(
  memories: readonly ExtractedMemory[],
  messages: readonly BatchMessage[],
  reading: BatchReading,
  { isDivided = false }: { readonly isDivided?: boolean } = {},
): Sliced<ExtractedItem[]> {
  const meter = createSliceMeter();
  const byId = new Map(messages.map((message) => [message.id, message]));
  const meterMessages = function* ({ evidence }: Pick<ExtractedMemory, 'evidence'>): Sliced<void> {
    for (const { message_id } of evidence) yield* meter(byId.get(message_id)?.content.length ?? 0);
  };
  const checked: ExtractedItem[] = [];
  for (const memory of memories) {
    yield* meterMessages(memory);
    checked.push(checkPeriod(checkEvidence(memory, byId)));
  }
  // Divided first: each half is attributed by what it says itself.
  const items: ExtractedItem[] = [];
  for (const item of isDivided ? checked : splitItems(checked)) {
    yield* meterMessages(item);
    items.push(attributeMemory(item, byId, reading));
  }
  return arrangeItems(yield* addProcedures(items, messages, reading), messages);
}

function checkEvidence(memory: ExtractedMemory, messages: ReadonlyMap<string, BatchMessage>): ExtractedItem {
  const grounding = groundMemory(memory, messages);
  const item = { ...memory, evidence: grounding.evidence };
  return grounding.grounded ? item : { ...item, quarantineReason: grounding.reason };
}

/** Removes impossible dates and quarantines the memory, since something in it is wrong. */
function checkPeriod(item: ExtractedItem): ExtractedItem {
  const from = parseInstant(item.valid_from);
  const to = parseInstant(item.valid_to);
  const isReversed = from !== undefined && to !== undefined && to < from;
  if (isPossible(from) && isPossible(to) && !isReversed) return item;
  const { valid_from: _from, valid_to: _to, ...rest } = item;
  return { ...rest, quarantineReason: item.quarantineReason ?? 'impossible_period' };
}

function parseInstant(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

function isPossible(instant: number | undefined): boolean {
  return instant === undefined || (instant >= MIN_INSTANT && instant < MAX_INSTANT);
}

/** Adds procedures (docs/reference/extraction.md#procedures), and removes other memories based on their steps. */
export function* addProcedures(
  items: readonly ExtractedItem[],
  messages: readonly BatchMessage[],
  { ownWords }: Pick<BatchReading, 'ownWords'>,
): Sliced<ExtractedItem[]> {
  const meter = createSliceMeter();
  const found = new Map<string, FoundProcedure>();
  for (const { id, role, content } of messages) {
    if (role !== 'user') continue;
    yield* meter(content.length);
    const procedure = findProcedure(ownWords.get(id)?.join('\n\n') ?? content);
    if (procedure && composeProcedure(procedure).length <= MAX_MEMORY_LENGTH) found.set(id, procedure);
  }
  if (found.size === 0) return [...items];
  const steps = new Map([...found].map(([id, { text }]) => [id, [text]]));
  const isOfSteps = ({ evidence }: ExtractedItem) =>
    evidence.length > 0 && evidence.every(({ message_id, quote }) => isQuotedFrom(quote, steps.get(message_id) ?? []));
  return [
    ...filterItems(items, (item) => !isOfSteps(item)),
    ...[...found].map(([messageId, procedure]) => toItem(messageId, procedure)),
  ];
}

function toItem(messageId: string, procedure: FoundProcedure): ExtractedItem {
  return {
    content: composeProcedure(procedure),
    category: 'procedural',
    type: 'procedural',
    importance: PROCEDURE_IMPORTANCE,
    confidence: PROCEDURE_CONFIDENCE,
    evidence: [{ message_id: messageId, quote: procedure.quote }],
    quarantineReason: UNCONFIRMED,
  };
}
