import { MIN_INSTANT, type ExtractedItem, type ExtractedMemory, MAX_INSTANT } from '@annals/contracts';
import { type CitableMessage, groundMemory } from '@annals/domain';
import { arrangeItems } from '../arrange-items.js';
import { addProcedures } from './procedures.js';

/** A message of the batch that a memory may cite. */
export interface BatchMessage extends CitableMessage {
  readonly id: string;
}

/** Quarantine reason of a memory with impossible dates. */
const IMPOSSIBLE_PERIOD = 'impossible_period';

/**
 * Turns a model's memories into items to write: each with its grounded evidence, or the reason why it is quarantined
 * (docs/reference/extraction.md#quarantine); with the procedures of the batch, arranged (`arrangeItems`). `messages`
 * are the batch's, in order.
 */
export function groundAnswer(memories: readonly ExtractedMemory[], messages: readonly BatchMessage[]): ExtractedItem[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const items = memories.map((memory) => checkPeriod(checkEvidence(memory, byId)));
  return arrangeItems(addProcedures(items, messages), messages);
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
  return { ...rest, quarantineReason: item.quarantineReason ?? IMPOSSIBLE_PERIOD };
}

function parseInstant(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

function isPossible(instant: number | undefined): boolean {
  return instant === undefined || (instant >= MIN_INSTANT && instant < MAX_INSTANT);
}
