import { createOwnWordsReader } from '@annals/english';
import { isUserActor } from '../speakers/identify-speaker.js';
import { readsAsInstruction } from '../speakers/reads-as-instruction.js';
import { createSliceMeter } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import { detectBenignSignal, detectGoal } from './detect-benign-signal.js';
import { detectSensitiveSignal, detectStatement } from './detect-sensitive-signal.js';
import { listOwnClauses, stripLeadIn } from './list-own-clauses.js';
import type { ContextSignal, DetectedSignal, ObservedMemory, ObservedMessage } from './types.js';
import { makeValueKey } from './value-key.js';

/** In UTF-16 units. Longer messages are more often pasted texts than statements about their sender. */
const MAX_SIGNAL_MESSAGE_LENGTH = 4_000;

/**
 * Detects the signals about a user's context in their own messages (docs/reference/consent.md#signals-of-a-message),
 * oldest first. Tuned for precision, English only: a rule must match the whole clause; messages of others, quotes,
 * pasted texts, role play, questions and conditions are ignored. Two different requests for one field in one message are
 * no consent: the last one counts as a statement.
 */
export function* detectSignals(userId: string, messages: readonly ObservedMessage[]): Sliced<ContextSignal[]> {
  const meter = createSliceMeter();
  const readOwnWords = createOwnWordsReader();
  const signals: ContextSignal[] = [];
  for (const message of messages) {
    const { role, actorId, content } = message;
    if (role !== 'user' || content.length > MAX_SIGNAL_MESSAGE_LENGTH) continue;
    yield* meter(content.length);
    const isUser = isUserActor(userId, actorId);
    const parts = yield* readOwnWords({ ...message, speaker: isUser ? null : actorId });
    if (isUser) signals.push(...detectMessageSignals(message, parts));
  }
  return signals.toSorted((a, b) => a.saidAt - b.saidAt);
}

/** Detects signals in memories that were extracted from the user's own messages; never a consent. */
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
  return role === 'user' && isUserActor(userId, actorId) && content.length <= MAX_SIGNAL_MESSAGE_LENGTH;
}

/** `parts`: what of the message its speaker says in person. */
function detectMessageSignals({ id, saidAt }: ObservedMessage, parts: readonly string[]): ContextSignal[] {
  const clauses = parts.flatMap((part) => listOwnClauses(part));
  const found = clauses.flatMap(({ text, isQuestion }) => {
    const clause = stripLeadIn(text);
    return detectSensitiveSignal(clause, isQuestion) ?? detectBenignSignal(clause, isQuestion) ?? [];
  });
  return demoteContradictedConsents(found.flatMap(demoteInstruction)).map((signal) => ({
    ...signal,
    messageId: id,
    saidAt,
  }));
}

/** A value that would act as an instruction is only proposed (docs/reference/consent.md#values-that-read-as-instructions). */
function demoteInstruction(signal: DetectedSignal): DetectedSignal | [] {
  const { field, value, kind } = signal;
  const isFreeText = field === 'preferred_name' || field === 'city';
  if (!isFreeText || value === null || !readsAsInstruction(value)) return signal;
  if (kind === 'acknowledgement') return [];
  return kind === 'consent' ? { ...signal, kind: 'statement' } : signal;
}

/** Contradicting requests of one message are ambiguous, so they are no consent. */
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

/** "The user lives in Lisbon. (…)" in the first person; null for statements about other people. */
function toFirstPerson(content: string): string | null {
  const sentence = content.replace(/\s*\([^()]*\)\s*$/u, '').replace(/[.!]\s*$/u, '');
  const rule = THIRD_PERSON.find(([pattern]) => pattern.test(sentence));
  return rule === undefined || /[.!?]\s/u.test(sentence) ? null : sentence.replace(...rule);
}
