import type { ExtractedItem } from '@annals/contracts';
import { checkWriting, trimWriting, type WritingRule } from '@annals/domain';
import type { InvalidSentence } from '@annals/llm-core';
import { filterItems } from '../filter-items.js';
import type { BatchMessage } from '../refine-answer.js';
import type { Rewrite } from './rewrite-sentences.js';

/** A memory that was not kept, by its place among those that were checked. */
export interface RejectedMemory {
  readonly place: number;
  readonly rules: readonly WritingRule[];
}

/**
 * What checking the memories of an answer came to (docs/reference/writing-constraints.md#rewrite-trim-reject). Numbers,
 * places and rules only.
 */
export interface WritingReport {
  readonly checked: number;
  /** Kept as they came. */
  readonly passed: number;
  readonly rewritten: number;
  readonly trimmed: number;
  readonly rejected: readonly RejectedMemory[];
  /** How often each rule was broken at first. */
  readonly broken: Readonly<Partial<Record<WritingRule, number>>>;
  /** Why no model rewrote anything; null when one did or none had to. */
  readonly notRewritten: string | null;
}

/** A message of the batch with what a model needs to know of who said it. */
export interface AuthoredMessage extends BatchMessage {
  readonly actorId: string | null;
  /** Epoch ms. */
  readonly saidAt: number;
}

/**
 * Holds an answer's memories to the writing constraints: what breaks one is rewritten by the model once, all in one call;
 * what is only too long then is cut, and what is left broken is not kept. What is quarantined is not looked at: nobody is
 * served it.
 */
export async function repairWriting(
  items: readonly ExtractedItem[],
  messages: readonly AuthoredMessage[],
  rewrite: (broken: readonly InvalidSentence[]) => Promise<Rewrite>,
): Promise<{ items: ExtractedItem[]; report: WritingReport }> {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const checks = items.map((item) => (isChecked(item) ? checkWriting(item) : []));
  const places = items.flatMap((_item, place) => (checks[place]!.length > 0 ? [place] : []));
  const rewrites =
    places.length === 0
      ? NOTHING_TO_REWRITE
      : await rewrite(places.map((place) => toBroken(items[place]!, checks[place]!, byId)));
  const repaired = items.map((item, place) => {
    if (checks[place]!.length === 0) return { item, how: 'passed' as const };
    return repair(item, rewrites.answered ? rewrites.value.get(places.indexOf(place)) : undefined);
  });
  const count = (wanted: (typeof repaired)[number]['how']) => repaired.filter(({ how }) => how === wanted).length;
  return {
    items: filterItems(
      repaired.map(({ item }) => item),
      (_item, place) => repaired[place]!.how !== 'rejected',
    ),
    report: {
      checked: items.filter(isChecked).length,
      passed: items.filter((item, place) => isChecked(item) && checks[place]!.length === 0).length,
      rewritten: count('rewritten'),
      trimmed: count('trimmed'),
      rejected: places.flatMap((place) =>
        repaired[place]!.how === 'rejected' ? [{ place, rules: checks[place]! }] : [],
      ),
      broken: countRules(checks.flat()),
      notRewritten: rewrites.answered ? null : rewrites.why,
    },
  };
}

const NOTHING_TO_REWRITE: Rewrite = { answered: true, value: new Map() };

/** A procedure has a form of its own; what is quarantined is served to nobody. */
function isChecked(item: ExtractedItem): boolean {
  return item.type !== 'procedural' && item.quarantineReason === undefined;
}

function repair(item: ExtractedItem, rewritten: string | undefined) {
  for (const [content, how] of [
    [rewritten, 'rewritten'],
    [item.content, 'trimmed'],
  ] as const) {
    const fitting = content === undefined ? null : trimWriting({ ...item, content });
    if (fitting !== null) return { item: { ...item, content: fitting }, how };
  }
  return { item, how: 'rejected' as const };
}

function toBroken(
  { content, type, evidence }: ExtractedItem,
  rules: readonly WritingRule[],
  messages: ReadonlyMap<string, AuthoredMessage>,
): InvalidSentence {
  // What is checked is grounded, so its evidence is in the batch.
  const { message_id, quote } = evidence[0]!;
  const { role, actorId, saidAt } = messages.get(message_id)!;
  return { content, type, rules, quote, message: { role, actorId, createdAt: saidAt } };
}

function countRules(rules: readonly WritingRule[]): WritingReport['broken'] {
  const counts: Partial<Record<WritingRule, number>> = {};
  for (const rule of rules) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}
