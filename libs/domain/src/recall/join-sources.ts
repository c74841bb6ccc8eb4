import { compareCodePoints } from '../text/unicode.js';
import type { DroppedCandidate, ScoredCandidate } from './types.js';

/**
 * Merges a fact and the turns it is based on (docs/reference/recall.md#a-fact-and-its-turn-are-one-answer): the scores
 * of the turns count for the fact; of several facts of one turn, for the most relevant one. If none of the facts is
 * relevant to the query, the turn is the answer: of "I moved to Rome, and I love tea", a fact about tea says nothing
 * about Rome.
 */
export function joinSources(scored: readonly ScoredCandidate[]): {
  joined: ScoredCandidate[];
  dropped: DroppedCandidate[];
} {
  const facts = scored.filter(({ candidate }) => candidate.kind === 'memory');
  const representatives = findRepresentatives(facts);
  const absorbed = new Map<ScoredCandidate, ScoredCandidate[]>();
  const joined: ScoredCandidate[] = [];
  const dropped: DroppedCandidate[] = [];
  const independent = listIndependentTurns(scored, representatives);
  for (const entry of scored) {
    const { kind, id, messageIds } = entry.candidate;
    if (kind === 'memory' && !isRelevant(entry) && messageIds.some((message) => independent.has(message))) {
      dropped.push({ id, kind, why: 'same_source' });
      continue;
    }
    const representative = kind === 'turn' && !independent.has(id) ? representatives.get(id) : undefined;
    if (representative === undefined) {
      joined.push(entry);
    } else {
      absorbed.set(representative, [...(absorbed.get(representative) ?? []), entry]);
      dropped.push({ id, kind, why: 'same_source' });
    }
  }
  return { joined: joined.map((entry) => absorbTurns(entry, absorbed.get(entry) ?? [])), dropped };
}

/** Turns that are relevant to the query while none of their facts is. */
function listIndependentTurns(
  scored: readonly ScoredCandidate[],
  representatives: ReadonlyMap<string, ScoredCandidate>,
): ReadonlySet<string> {
  const independent = scored.filter((entry) => {
    const representative = entry.candidate.kind === 'turn' ? representatives.get(entry.candidate.id) : undefined;
    return representative !== undefined && isRelevant(entry) && !isRelevant(representative);
  });
  return new Set(independent.map(({ candidate }) => candidate.id));
}

/** Found by itself, not only by its turn. */
function isRelevant({ relevance }: ScoredCandidate): boolean {
  return relevance > 0;
}

function findRepresentatives(facts: readonly ScoredCandidate[]): ReadonlyMap<string, ScoredCandidate> {
  const representatives = new Map<string, ScoredCandidate>();
  for (const fact of facts.toSorted(compareFacts)) {
    for (const id of fact.candidate.messageIds) if (!representatives.has(id)) representatives.set(id, fact);
  }
  return representatives;
}

function compareFacts(a: ScoredCandidate, b: ScoredCandidate): number {
  return b.relevance - a.relevance || compareCodePoints(a.candidate.id, b.candidate.id);
}

function absorbTurns(entry: ScoredCandidate, turns: readonly ScoredCandidate[]): ScoredCandidate {
  const maxOf = (part: (of: ScoredCandidate) => number) => Math.max(part(entry), ...turns.map(part));
  if (turns.length === 0) return entry;
  const reranks = [entry, ...turns].flatMap(({ rerank }) => rerank ?? []);
  return {
    ...entry,
    relevance: maxOf(({ relevance }) => relevance),
    lexical: maxOf(({ lexical }) => lexical),
    vector: maxOf(({ vector }) => vector),
    rerank: reranks.length === 0 ? null : Math.max(...reranks),
  };
}
