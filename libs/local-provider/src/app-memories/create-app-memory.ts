import type { ExtractedMemory } from '@annals/contracts';
import { createOwnWordsReader, opensAsCorrection } from '@annals/english';
import { type ConversationMessage, identifySpeakers, type KnownUser, nameSubject } from '@annals/llm-core';
import { MemoryCollector } from '../extract-memories.js';
import { isCalledOff, type Outcome, readDone, readOutcomes } from './read-outcomes.js';

/** A memory of a conversation by rules. */
export interface LocalAppMemory {
  /** One to four sentences, at most 400 characters. */
  readonly content: string;
  /** The messages that it was made from, in their order. */
  readonly messageIds: readonly string[];
}

interface Piece {
  /** As it was said. */
  readonly quote: string;
  readonly sentence: string;
  readonly messageId: string;
  readonly kind: Outcome['kind'] | 'fact';
  /** Higher ones are kept. */
  readonly worth: number;
}

/** See docs/reference/app-memories.md#form-of-an-app-memory. */
const MAX_SENTENCES = 4;
/** With fewer, a longer sentence is taken, and a request. */
const FEW_SENTENCES = 2;
const GOAL_LENGTH = 200;
const MAX_LENGTH = 400;
/** The latest messages of a conversation; its end says what came of it. */
const MAX_MESSAGES = 200;
/** In UTF-16 units; what is longer was pasted. */
const MAX_USER_UNITS = 4_000;

/** Beside the importance of what was extracted, 1 to 5. */
const WORTH: Readonly<Record<Outcome['kind'], number>> = {
  done: 6,
  decided: 6,
  solved: 6,
  problem: 3,
  stated: 1,
  asked: 0,
};

/**
 * Makes the memory of a conversation that has ended (docs/reference/app-memories.md#app-memories-without-a-model); null
 * when it gives nothing. Yields between messages and within them. English only.
 */
export function* createLocalAppMemory(
  conversation: readonly ConversationMessage[],
  user: KnownUser,
): Generator<void, LocalAppMemory | null> {
  const pieces = yield* listPieces(conversation.slice(-MAX_MESSAGES), user);
  const chosen = choosePieces(pieces);
  if (chosen.length === 0) return null;
  return {
    content: chosen.map(({ sentence }) => sentence).join(' '),
    messageIds: [...new Set(chosen.map(({ messageId }) => messageId))],
  };
}

/** In the order of the conversation. */
function* listPieces(messages: readonly ConversationMessage[], user: KnownUser): Generator<void, Piece[]> {
  const identify = identifySpeakers(user, messages);
  const collector = new MemoryCollector(identify);
  const readOwnWords = createOwnWordsReader();
  const pieces: Piece[] = [];
  for (const message of messages) {
    yield;
    const { id, role, content, createdAt } = message;
    if (role === 'assistant') pieces.push(...joinPieces(readDone(content), [], id));
    if (role !== 'user' || content.length > MAX_USER_UNITS) continue;
    const speaker = identify(message);
    const parts = yield* readOwnWords({ content, saidAt: createdAt, speaker: speaker.isUser ? null : speaker.actorId });
    if (isCalledOff(parts)) dropLast(pieces, 'done', 'asked');
    const outcomes = readOutcomes(parts, nameSubject(speaker));
    if (outcomes.some(({ kind, quote }) => kind === 'decided' && opensAsCorrection(quote))) dropLast(pieces, 'decided');
    yield;
    const before = collector.memories.length;
    collector.read(message);
    const facts = collector.memories.slice(before);
    pieces.push(
      ...joinPieces(outcomes, facts, id).toSorted((a, b) => content.indexOf(a.quote) - content.indexOf(b.quote)),
    );
  }
  return pieces;
}

/** Takes out the last piece of each kind. */
function dropLast(pieces: Piece[], ...kinds: Piece['kind'][]): void {
  for (const kind of kinds) {
    const last = pieces.findLastIndex((piece) => piece.kind === kind);
    if (last >= 0) pieces.splice(last, 1);
  }
}

/**
 * What one message says, each sentence once: facts are worded more exactly than decisions and problems, whose worth they
 * take; what solved a problem is told as a whole.
 */
function joinPieces(outcomes: readonly Outcome[], facts: readonly ExtractedMemory[], messageId: string): Piece[] {
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.quote, outcome]));
  const quotes = new Set(facts.map(readQuote));
  const told = facts.flatMap((fact): Piece[] => {
    const outcome = outcomeOf.get(readQuote(fact));
    if (outcome?.kind === 'solved') return [];
    const worth = Math.max(fact.importance, outcome ? WORTH[outcome.kind] : 0);
    return [{ quote: readQuote(fact), sentence: fact.content, messageId, kind: outcome?.kind ?? 'fact', worth }];
  });
  const rest = outcomes
    .filter(({ kind, quote }) => kind === 'solved' || !quotes.has(quote))
    .map(({ kind, quote, sentence }) => ({ quote, sentence, messageId, kind, worth: WORTH[kind] }));
  return [...told, ...rest];
}

function readQuote({ evidence }: ExtractedMemory): string {
  return evidence.at(-1)!.quote;
}

/** The worthiest, the latest of equal ones first, up to the goal; then in the order of the conversation. */
function choosePieces(pieces: readonly Piece[]): Piece[] {
  const known = new Set<string>();
  const different = pieces.filter(({ sentence }) => !known.has(sentence) && known.add(sentence));
  const ranked = different
    .map((piece, at) => ({ piece, at }))
    .toSorted((a, b) => b.piece.worth - a.piece.worth || b.at - a.at);
  const chosen: { piece: Piece; at: number }[] = [];
  let length = -1;
  for (const candidate of ranked) {
    const { sentence } = candidate.piece;
    const limit = chosen.length < FEW_SENTENCES ? MAX_LENGTH : GOAL_LENGTH;
    if (chosen.length === MAX_SENTENCES || length + 1 + sentence.length > limit) continue;
    // A request adds only what nothing better says.
    if (candidate.piece.worth === 0 && chosen.length >= FEW_SENTENCES) continue;
    chosen.push(candidate);
    length += 1 + sentence.length;
  }
  const told = chosen.toSorted((a, b) => a.at - b.at).map(({ piece }) => piece);
  return isWorthRemembering(told) ? told : [];
}

/** Requests alone are not; one sentence is if it is more than a remark of the user, and not only the assistant's word. */
function isWorthRemembering(pieces: readonly Piece[]): boolean {
  if (pieces.length >= FEW_SENTENCES) return pieces.some(({ worth }) => worth > WORTH.asked);
  return pieces.some(({ kind, worth }) => kind !== 'done' && worth > WORTH.stated);
}
