import { stripLeadIn } from './clause-grammar.js';
import { detectBenignSignal, detectGoal } from './detect-benign-signal.js';
import { detectSensitiveSignal, detectStatement } from './detect-sensitive-signal.js';
import { splitClauses } from './split-clauses.js';
import type { ContextSignal, DetectedSignal, ObservedMemory, ObservedMessage } from './types.js';
import { makeValueKey } from './value-key.js';

/** Longer messages are pasted texts more often than they are about their sender. */
const MAX_SIGNAL_MESSAGE_LENGTH = 4_000;

/**
 * What the user's own messages say of their context (docs/reference/consent.md#signals-of-a-message), oldest first.
 * Made for precision, English only: a clause has to be covered from its first to its last word; what others said,
 * quotes, questions and conditions count for nothing. Two different requests for one field in one message are no
 * consent: the last counts as told.
 */
export function detectSignals(userId: string, messages: readonly ObservedMessage[]): ContextSignal[] {
  return messages
    .filter((message) => isOwn(userId, message))
    .flatMap(detectMessageSignals)
    .toSorted((a, b) => a.saidAt - b.saidAt);
}

/** What memories that were extracted from the user's own messages tell of them; never a consent. */
export function detectMemorySignals(
  userId: string,
  memories: readonly ObservedMemory[],
  messages: readonly ObservedMessage[],
): ContextSignal[] {
  const own = new Map(messages.filter((message) => isOwn(userId, message)).map((message) => [message.id, message]));
  return memories.flatMap(({ content, messageIds }) => {
    const message = messageIds.map((id) => own.get(id)).find((found) => found !== undefined);
    const clause = toFirstPerson(content);
    const found = message && clause !== null ? (detectStatement(clause) ?? detectGoal(clause)) : null;
    return found ? [{ ...found, messageId: message!.id, saidAt: message!.saidAt }] : [];
  });
}

function isOwn(userId: string, { role, actorId, content }: ObservedMessage): boolean {
  return role === 'user' && (actorId === null || actorId === userId) && content.length <= MAX_SIGNAL_MESSAGE_LENGTH;
}

function detectMessageSignals({ id, content, saidAt }: ObservedMessage): ContextSignal[] {
  const found = splitClauses(content).flatMap(({ text, isQuestion }) => {
    const clause = stripLeadIn(text);
    return detectSensitiveSignal(clause, isQuestion) ?? detectBenignSignal(clause, isQuestion) ?? [];
  });
  return demoteContradictedConsents(found).map((signal) => ({ ...signal, messageId: id, saidAt }));
}

/** Requests of one message that contradict each other leave open which one is meant. */
function demoteContradictedConsents(found: readonly DetectedSignal[]): DetectedSignal[] {
  return found.map((signal) => {
    if (signal.kind !== 'consent') return signal;
    const isContradicted = found.some(
      ({ field, kind, value }) =>
        field === signal.field &&
        (kind === 'consent' || kind === 'retraction') &&
        (kind === 'retraction') ===
          (value === null || makeValueKey(field, value) === makeValueKey(field, signal.value)),
    );
    return isContradicted ? { ...signal, kind: 'statement' } : signal;
  });
}

const THIRD_PERSON: readonly [RegExp, string][] = [
  [/^The user['’]s\b/u, 'My'],
  [/^The user is\b/u, 'I am'],
  [/^The user has\b/u, 'I have'],
  [/^The user goes\b/u, 'I go'],
  [/^The user (\w+?)s\b/u, 'I $1'],
  [/^The user\b/u, 'I'],
];

/** "The user lives in Lisbon. (…)" as the user would say it; null for what is about somebody else. */
function toFirstPerson(content: string): string | null {
  const sentence = content.replace(/\s*\([^()]*\)\s*$/u, '').replace(/[.!]\s*$/u, '');
  const [, replacement] = THIRD_PERSON.find(([pattern]) => pattern.test(sentence)) ?? [];
  if (replacement === undefined || /[.!?]\s/u.test(sentence)) return null;
  return sentence.replace(THIRD_PERSON.find(([pattern]) => pattern.test(sentence))![0], replacement);
}
