import { findEchoes } from '../echoes/find-echo.js';
import { readStatement } from '../echoes/read-statement.js';
import { readTurn, type TurnSpeaker } from '../echoes/read-turn.js';
import { extractSlot } from '../meaning/extract-slot.js';
import type { Slot } from '../meaning/slot.js';
import { runAtOnce } from '../text/sliced.js';
import { cutSentences, listSentences, overlap } from './list-sentences.js';
import type { ForgetRequest } from './read-request.js';
import { resolveSubject } from './resolve-subject.js';
import type { Candidate, Mentions, Span, Subject, WalkTexts } from './subject.js';

/** A memory, in whatever state. */
export interface ForgettableMemory {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  /** Written by hand: it needs no source. */
  readonly isManual: boolean;
  readonly sources: readonly { readonly messageId: string; readonly quote: string }[];
}

export interface ForgettableTurn {
  readonly id: string;
  readonly content: string;
  readonly speaker: TurnSpeaker;
  /** Memories that it is noted to repeat. */
  readonly echoOf: readonly string[];
}

/** Everything of a user in which something may be mentioned. Each walk visits all in the same order. */
export interface Forgettable<Other extends { readonly text: string } = { readonly text: string }> {
  walkMemories(visit: (memory: ForgettableMemory) => void): Promise<void>;
  walkTurns(visit: (turn: ForgettableTurn) => void): Promise<void>;
  /** Further texts, such as summaries and the user context. */
  walkOthers(visit: (other: Other) => void): Promise<void>;
  /** The memories that were taken from any of these messages. */
  findMemoriesFrom(messageIds: readonly string[]): Promise<readonly ForgettableMemory[]>;
}

/** What a turn loses. */
export interface TurnCut {
  readonly messageId: string;
  /** What stays of it; empty when nothing does. */
  readonly rest: string;
  /** Where the sentences were that go. */
  readonly cut: readonly Span[];
  readonly isEcho: boolean;
}

/** A source that a memory loses, or whose words it loses (`quote` is empty then). */
export interface LostQuote {
  readonly memoryId: string;
  readonly messageId: string;
  readonly quote: string | null;
}

export interface StillMentioned {
  readonly kind: 'memory' | 'turn';
  readonly id: string;
  readonly why: NonNullable<Mentions['other']>;
}

export interface ForgettingPlan<Other = unknown> {
  readonly memoryIds: readonly string[];
  readonly cuts: readonly TurnCut[];
  readonly lostQuotes: readonly LostQuote[];
  /** The further texts that mention it. */
  readonly others: readonly Other[];
  /** At most `MAX_STILL_MENTIONED`, the newest first. */
  readonly still: readonly StillMentioned[];
}

export type ForgettingOutcome<Other = unknown> =
  | { readonly outcome: 'planned'; readonly plan: ForgettingPlan<Other> }
  | { readonly outcome: 'ambiguous'; readonly candidates: readonly Candidate[] };

/**
 * What goes when somebody asks to forget something (docs/reference/forgetting.md#what-goes): memories that mention it,
 * the sentences that they were taken from, sentences of others that say it, and memories that rest on these sentences
 * alone. Everything else stays.
 */
export async function planForgetting<Other extends { readonly text: string }>(
  request: ForgetRequest,
  from: Forgettable<Other>,
): Promise<ForgettingOutcome<Other>> {
  const walk: WalkTexts = async (visit) => {
    await from.walkMemories(({ content }) => visit({ text: content, speaker: NOBODY }));
    await from.walkTurns(({ content, speaker }) => visit({ text: content, speaker }));
  };
  const resolution = await resolveSubject(request, walk);
  if (resolution.outcome === 'ambiguous') return resolution;
  const { subject } = resolution;
  const slot = request.kind === 'statement' ? readSlot(request.said) : null;
  const still: StillMentioned[] = [];
  const matched: ForgettableMemory[] = [];
  await from.walkMemories((memory) => {
    const { id, content } = memory;
    const { sure, other } = subject.findMentions({ text: content, speaker: NOBODY });
    if (sure.length > 0 || fillsSlot(memory, slot)) matched.push(memory);
    else if (other !== null) still.push({ kind: 'memory', id, why: other });
  });
  const quotes = Map.groupBy(
    matched.flatMap(({ sources }) => sources),
    ({ messageId }) => messageId,
  );
  const contents = new Map(matched.map(({ id, content }) => [id, content]));
  const cuts: TurnCut[] = [];
  await from.walkTurns((turn) => {
    const { id } = turn;
    const { cut, other } = cutTurn(turn, { subject, quotes: quotes.get(id) ?? [], contents });
    if (cut !== null) cuts.push(cut);
    else if (other !== null) still.push({ kind: 'turn', id, why: other });
  });
  const others: Other[] = [];
  await from.walkOthers((other) => {
    if (subject.findMentions({ text: other.text, speaker: NOBODY }).sure.length > 0) others.push(other);
  });
  const gone = new Set(matched.map(({ id }) => id));
  const rests = new Map(cuts.map(({ messageId, rest }) => [messageId, rest]));
  const besides = cuts.length === 0 ? [] : await from.findMemoriesFrom([...rests.keys()]);
  // Who takes back one statement keeps what else they said in the same sentence.
  const { memoryIds, lostQuotes } = settleSources(
    besides.filter(({ id }) => !gone.has(id)),
    rests,
    { keepsWhatRestsOnIt: request.kind === 'statement' },
  );
  for (const id of memoryIds) gone.add(id);
  const kept = still
    .filter(({ id }) => !gone.has(id))
    // Ids are in order of time: the newest first.
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, MAX_STILL_MENTIONED);
  return { outcome: 'planned', plan: { memoryIds: [...gone], cuts, lostQuotes, others, still: kept } };
}

const MAX_STILL_MENTIONED = 100;
const NOBODY = { is: 'nobody' } as const;

interface CutTurn {
  /** Null when nothing is cut. */
  readonly cut: TurnCut | null;
  readonly other: Mentions['other'];
}

function cutTurn(
  { id, content, speaker, echoOf }: ForgettableTurn,
  {
    subject,
    quotes,
    contents,
  }: {
    readonly subject: Subject;
    readonly quotes: readonly { readonly quote: string }[];
    readonly contents: ReadonlyMap<string, string>;
  },
): CutTurn {
  const mentions = subject.findMentions({ text: content, speaker });
  const repeated = echoOf.flatMap((memoryId) => contents.get(memoryId) ?? []);
  const spans = [
    ...mentions.sure,
    // Of a quote of several sentences, those that mention it; if none does, all.
    ...quotes
      .flatMap(({ quote }) => findQuote(content, quote))
      .filter((quoted) => !mentions.sure.some((mention) => overlap(quoted, mention))),
    ...repeated.flatMap((memory) => findEchoSentences(content, speaker, memory)),
  ];
  if (spans.length === 0) return { cut: null, other: mentions.other };
  const cut = { messageId: id, ...cutSentences(content, spans), isEcho: speaker.is !== 'user' };
  return { cut, other: null };
}

/** Where a message has the words that a memory quotes of it; nothing when it does not. */
export function findQuote(content: string, quote: string): Span[] {
  const start = quote === '' ? -1 : content.indexOf(quote);
  return start < 0 ? [] : [{ start, end: start + quote.length }];
}

function findEchoSentences(content: string, speaker: TurnSpeaker, memory: string): Span[] {
  const statement = readStatement(memory);
  if (!statement) return [];
  return listSentences(content).filter(({ start, end }) => {
    const turn = runAtOnce(readTurn(content.slice(start, end), speaker));
    return runAtOnce(findEchoes(turn, [statement])).length > 0;
  });
}

/**
 * What happens to memories whose sources lose words. `rests`: what stays of each message that loses some. Those that
 * rest on lost words alone go, unless they were written by hand.
 */
export function settleSources(
  memories: readonly ForgettableMemory[],
  rests: ReadonlyMap<string, string>,
  { keepsWhatRestsOnIt }: { readonly keepsWhatRestsOnIt: boolean },
): { readonly memoryIds: readonly string[]; readonly lostQuotes: readonly LostQuote[] } {
  const memoryIds: string[] = [];
  const lostQuotes: LostQuote[] = [];
  for (const { id, isManual, sources } of memories) {
    const isLost = ({ messageId, quote }: ForgettableMemory['sources'][number]) => {
      const rest = rests.get(messageId);
      return rest !== undefined && (rest === '' || !rest.includes(quote));
    };
    const lost = sources.filter(isLost);
    if (lost.length === 0) continue;
    const isAlone = lost.length === sources.length && !isManual;
    if (isAlone && !keepsWhatRestsOnIt) memoryIds.push(id);
    else for (const { messageId } of lost) lostQuotes.push({ memoryId: id, messageId, quote: isAlone ? '' : null });
  }
  return { memoryIds, lostQuotes };
}

function readSlot(said: string): Slot | null {
  const content = said
    .replace(/^I['’]m\b/u, 'I am')
    .replace(/^(?:I|[Ww]e) am\b/u, 'The user is')
    .replace(/^(?:I|[Ww]e) (?<verb>\p{Ll}+)/u, 'The user $<verb>s')
    .replace(/^(?:[Mm]y|[Oo]ur) /u, "The user's ");
  return extractSlot({ content, type: 'semantic' });
}

/** Whether a memory says the same of the same attribute in other words. */
function fillsSlot({ content, type }: ForgettableMemory, slot: Slot | null): boolean {
  if (slot === null || Object.keys(slot.parts).length === 0) return false;
  const own = extractSlot({ content, type });
  if (own === null || own.key !== slot.key || own.holds !== slot.holds) return false;
  return Object.entries(slot.parts).every(([part, value]) => own.parts[part] === value);
}
