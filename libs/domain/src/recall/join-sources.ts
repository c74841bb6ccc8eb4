import { compareCodePoints } from '../text/unicode.js';
import type { DroppedCandidate, JoinedCandidate, ScoredCandidate } from './types.js';

/**
 * Merges a fact and the turns it is based on (docs/reference/recall.md#a-fact-and-its-turn-are-one-answer): the scores
 * of the turns count for the fact, which carries their words; of several facts of one turn, for the most relevant one.
 */
export function joinSources(scored: readonly ScoredCandidate[]): {
  joined: JoinedCandidate[];
  dropped: DroppedCandidate[];
} {
  const facts = scored.filter(({ candidate }) => candidate.kind === 'memory');
  const representatives = findRepresentatives(facts);
  const absorbed = new Map<ScoredCandidate, ScoredCandidate[]>();
  const kept: ScoredCandidate[] = [];
  const dropped: DroppedCandidate[] = [];
  for (const entry of scored) {
    const { kind, id } = entry.candidate;
    const representative = kind === 'turn' ? representatives.get(id) : undefined;
    if (representative === undefined) {
      kept.push(entry);
    } else {
      absorbed.set(representative, [...(absorbed.get(representative) ?? []), entry]);
      dropped.push({ id, kind, why: 'same_source' });
    }
  }
  return { joined: kept.map((entry) => absorbTurns(entry, absorbed.get(entry) ?? [])), dropped };
}

function findRepresentatives(facts: readonly ScoredCandidate[]): ReadonlyMap<string, ScoredCandidate> {
  const representatives = new Map<string, ScoredCandidate>();
  for (const fact of facts.toSorted(compareRelevance)) {
    for (const id of fact.candidate.messageIds) if (!representatives.has(id)) representatives.set(id, fact);
  }
  return representatives;
}

function compareRelevance(a: ScoredCandidate, b: ScoredCandidate): number {
  return b.relevance - a.relevance || compareCodePoints(a.candidate.id, b.candidate.id);
}

function absorbTurns(entry: ScoredCandidate, turns: readonly ScoredCandidate[]): JoinedCandidate {
  if (turns.length === 0) return { ...entry, turn: null, needsTurn: false };
  // A fact inherits the sources of the one that it replaced, and another fact of a turn may have ended: words that no
  // longer hold are not put behind what does.
  const holding = turns.filter(({ candidate }) => candidate.superseded === 'no');
  const [best] = holding.toSorted(compareRelevance);
  const maxOf = (part: (of: ScoredCandidate) => number) => Math.max(part(entry), ...turns.map(part));
  const reranks = [entry, ...turns].flatMap(({ rerank }) => rerank ?? []);
  return {
    ...entry,
    relevance: maxOf(({ relevance }) => relevance),
    lexical: maxOf(({ lexical }) => lexical),
    vector: maxOf(({ vector }) => vector),
    rerank: reranks.length === 0 ? null : Math.max(...reranks),
    turn: best?.candidate ?? null,
    needsTurn: entry.relevance <= 0 && best !== undefined && best.relevance > 0,
  };
}
