import type { TokenCounter } from '@annals/llm-core';
import type { Statement } from './statement.js';

/** The best by their own worth; those behind could hardly be chosen, and comparing all with all takes too long. */
const MAX_COMPARED = 600;
const SEGMENTS = 8;
/** Against facts and form, which are worth up to 1. */
const CENTRALITY_WEIGHT = 1;
/** Long sentences have more words of the topic, and say more of it: 0.5 would make all lengths equal, 0 prefer long ones. */
const LENGTH_EXPONENT = 0.3;
/** Repetitions are worth less. */
const LOWEST_WORTH = -0.3;
/** Statements of one day that share a sentence: "On 2 March 2026: …; …". */
export const MAX_OF_DAY = 3;
/** What "On 2 March 2026: " takes. */
const DAY_TOKENS = 8;
/** How much a statement loses when it says the same as a chosen one, and for each chosen one of its part of the text. */
const REPETITION_MALUS = 0.7;
const SEGMENT_MALUS = 0.06;

interface Candidate {
  readonly statement: Statement;
  readonly tokens: number;
  readonly segment: number;
  value: number;
  repetition: number;
}

/**
 * The statements that tell most within `maxTokens`, in the order of the text: central words, facts, little repetition,
 * all parts of the text. If none fits, the shortest one. The same for the same input.
 */
export function selectStatements(
  statements: readonly Statement[],
  maxTokens: number,
  count: TokenCounter,
): Statement[] {
  const candidates = rankCandidates(statements, count);
  const chosen: Candidate[] = [];
  let rest = maxTokens;
  let open = candidates;
  const days = new Map<string | null, number>();
  const cost = ({ tokens, statement: { saidOn } }: Candidate) =>
    tokens + (saidOn !== null && (days.get(saidOn) ?? 0) % MAX_OF_DAY === 0 ? DAY_TOKENS : 0);
  while (open.length > 0) {
    open = open.filter((candidate) => cost(candidate) <= rest);
    const best = findBest(open);
    if (!best) break;
    chosen.push(best);
    rest -= cost(best);
    days.set(best.statement.saidOn, (days.get(best.statement.saidOn) ?? 0) + 1);
    open = open.filter((candidate) => candidate !== best && !areOneSentence(candidate.statement, best.statement));
    for (const candidate of open) {
      candidate.repetition = Math.max(candidate.repetition, compareStems(candidate.statement, best.statement));
      if (candidate.segment === best.segment) candidate.value -= SEGMENT_MALUS;
    }
  }
  if (chosen.length === 0 && candidates.length > 0) {
    chosen.push(candidates.reduce((shortest, one) => (one.tokens < shortest.tokens ? one : shortest)));
  }
  return chosen.map(({ statement }) => statement).toSorted((a, b) => a.order - b.order);
}

function rankCandidates(statements: readonly Statement[], count: TokenCounter): Candidate[] {
  const centrality = measureCentrality(statements);
  const last = statements.length;
  return statements
    .map((statement, index) => ({
      statement,
      segment: Math.floor((index * SEGMENTS) / last),
      value: centrality[index]! * CENTRALITY_WEIGHT + statement.bonus,
    }))
    .toSorted((a, b) => b.value - a.value || a.statement.order - b.statement.order)
    .slice(0, MAX_COMPARED)
    .map((candidate) => ({ ...candidate, tokens: count(candidate.statement.text) + 1, repetition: 0 }));
}

/** From 0 to 1: how much the words of a statement are the words of the others. */
function measureCentrality(statements: readonly Statement[]): number[] {
  const frequency = new Map<string, number>();
  for (const { stems } of statements) for (const stem of stems) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  const weights = statements.map(({ stems }) => {
    let weight = 0;
    for (const stem of stems) weight += Math.log2(frequency.get(stem)!);
    return stems.size === 0 ? 0 : weight / (stems.size + 2) ** LENGTH_EXPONENT;
  });
  const highest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  return weights.map((weight) => (highest > 0 ? weight / highest : 0));
}

function findBest(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  let highest = LOWEST_WORTH;
  for (const candidate of candidates) {
    const worth = candidate.value - candidate.repetition * REPETITION_MALUS;
    if (worth <= highest) continue;
    highest = worth;
    best = candidate;
  }
  return best;
}

/** A quotation and what is told of it; several facts of one sentence are each of their own. */
function areOneSentence(a: Statement, b: Statement): boolean {
  return a.isQuotation !== b.isQuotation && a.sentences.some((sentence) => b.sentences.includes(sentence));
}

/** Share of the words of the shorter one that both have. */
function compareStems(a: Statement, b: Statement): number {
  const [few, many] = a.stems.size <= b.stems.size ? [a.stems, b.stems] : [b.stems, a.stems];
  if (few.size === 0) return 1;
  let common = 0;
  for (const stem of few) if (many.has(stem)) common += 1;
  return common / few.size;
}
