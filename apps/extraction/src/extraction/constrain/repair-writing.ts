import type { ExtractedItem, WritingRule } from '@annals/contracts';
import { checkWriting, trimWriting } from '@annals/domain';
import { buildRewritePrompt, type InvalidSentence, labelSpeakers, parseRewrite } from '@annals/llm-core';
import { filterItems } from '../arrange-items.js';
import { type FollowUp, type FollowUpAnswer, requestOnce } from '../call-model/request-once.js';
import { attributeContent } from '../ground/attribute-memories.js';
import type { BatchMessage } from '../ground/ground-answer.js';
import type { BatchReading } from '../ground/read-batch.js';

const TOKENS_PER_SENTENCE = 90;

/** New sentences by index, or why there are none. */
export type Rewrite = FollowUpAnswer<ReadonlyMap<number, string>>;

/** A rejected memory. `place` is its index among the items of the answer. */
interface RejectedMemory {
  readonly place: number;
  readonly rules: readonly WritingRule[];
}

/** Counts, indexes and rules (docs/reference/writing-constraints.md#rewrite-trim-reject), no content. */
export interface WritingReport {
  readonly checked: number;
  readonly passed: number;
  readonly rewritten: number;
  readonly trimmed: number;
  readonly rejected: readonly RejectedMemory[];
  /** Number of violations by rule, before any rewrite. */
  readonly broken: Readonly<Partial<Record<WritingRule, number>>>;
  /** Why the model rewrote nothing; null when it did or nothing had to be rewritten. */
  readonly notRewritten: string | null;
}

/** A message of the batch with its time, for the rewrite prompt. */
export interface AuthoredMessage extends BatchMessage {
  /** Epoch ms. */
  readonly saidAt: number;
}

/**
 * Applies the writing constraints to the memories of an answer. The model rewrites those that violate one, all in one
 * call and once; then memories that are only too long are trimmed, and those that still violate a rule are rejected.
 * Quarantined memories are not checked, since they are never returned.
 */
export async function repairWriting(
  items: readonly ExtractedItem[],
  messages: readonly AuthoredMessage[],
  reading: BatchReading,
  rewrite: (broken: readonly InvalidSentence[]) => Promise<Rewrite>,
): Promise<{ items: ExtractedItem[]; report: WritingReport }> {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const label = labelSpeakers(messages, reading.user);
  const checks = items.map((item) => (isChecked(item) ? checkWriting(item) : []));
  const invalid = items.flatMap((_item, index) => (checks[index]!.length > 0 ? [index] : []));
  const rewrites =
    invalid.length === 0
      ? NOTHING_TO_REWRITE
      : await rewrite(invalid.map((index) => toBroken(items[index]!, checks[index]!, byId, label)));
  // A rewrite may call another participant the user, as the answer did.
  const attribute = (content: string, item: ExtractedItem) => {
    const attribution = attributeContent(content, item, byId, reading);
    if (attribution.outcome === 'wrong') return undefined;
    return attribution.outcome === 'corrected' ? attribution.content : content;
  };
  const repaired = items.map((item, index) => {
    if (checks[index]!.length === 0) return { item, how: 'passed' as const };
    const rewritten = rewrites.answered ? rewrites.value.get(invalid.indexOf(index)) : undefined;
    return repair(item, rewritten === undefined ? undefined : attribute(rewritten, item));
  });
  const count = (outcome: (typeof repaired)[number]['how']) => repaired.filter(({ how }) => how === outcome).length;
  return {
    items: filterItems(
      repaired.map(({ item }) => item),
      (_item, index) => repaired[index]!.how !== 'rejected',
    ),
    report: {
      checked: items.filter(isChecked).length,
      passed: items.filter((item, index) => isChecked(item) && checks[index]!.length === 0).length,
      rewritten: count('rewritten'),
      trimmed: count('trimmed'),
      rejected: invalid.flatMap((index) =>
        repaired[index]!.how === 'rejected' ? [{ place: index, rules: checks[index]! }] : [],
      ),
      broken: countRules(checks.flat()),
      notRewritten: rewrites.answered ? null : rewrites.why,
    },
  };
}

const NOTHING_TO_REWRITE: Rewrite = { answered: true, value: new Map() };

/** Procedures have a form of their own; quarantined memories are never returned. */
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
  label: (message: AuthoredMessage) => string,
): InvalidSentence {
  // Checked memories are grounded, so their evidence is in the batch.
  const { message_id, quote } = evidence[0]!;
  const message = messages.get(message_id)!;
  return { content, type, rules, quote, message: { speaker: label(message), createdAt: message.saidAt } };
}

function countRules(rules: readonly WritingRule[]): WritingReport['broken'] {
  const counts: Partial<Record<WritingRule, number>> = {};
  for (const rule of rules) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

/** Lets the model rewrite sentences, all in one call without retries. Never throws. */
export function rewriteSentences(followUp: FollowUp, broken: readonly InvalidSentence[]): Promise<Rewrite> {
  const prompt = buildRewritePrompt(broken);
  return requestOnce(followUp, {
    operation: 'writing',
    task: 'rewrite_memories',
    prompt,
    expectedOutputTokens: broken.length * TOKENS_PER_SENTENCE,
    read: ({ text }) => parseRewrite(text, prompt),
  });
}
