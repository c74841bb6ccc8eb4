import { compareCodePoints } from '../encoding/index.js';
import type { DroppedCandidate, ScoredCandidate } from './types.js';

export interface JoinedCandidates {
  readonly joined: ScoredCandidate[];
  readonly dropped: DroppedCandidate[];
}

/**
 * Makes a fact and the turns it rests on one answer, the fact first (decision 28): the turns go, and what they were found
 * by counts for the fact. Of several facts of one turn it counts for the one that answers best by itself; the others
 * stand for themselves.
 */
export function joinSources(scored: readonly ScoredCandidate[]): JoinedCandidates {
  const facts = scored.filter(({ candidate }) => candidate.kind === 'memory');
  const heirs = findHeirs(facts);
  const inherited = new Map<ScoredCandidate, ScoredCandidate[]>();
  const joined: ScoredCandidate[] = [];
  const dropped: DroppedCandidate[] = [];
  for (const entry of scored) {
    const heir = entry.candidate.kind === 'turn' ? heirs.get(entry.candidate.id) : undefined;
    if (heir === undefined) {
      joined.push(entry);
    } else {
      inherited.set(heir, [...(inherited.get(heir) ?? []), entry]);
      dropped.push({ id: entry.candidate.id, kind: 'turn', why: 'same_source' });
    }
  }
  return { joined: joined.map((entry) => inherit(entry, inherited.get(entry) ?? [])), dropped };
}

/** The fact that stands for each message. */
function findHeirs(facts: readonly ScoredCandidate[]): ReadonlyMap<string, ScoredCandidate> {
  const heirs = new Map<string, ScoredCandidate>();
  for (const fact of facts.toSorted(compareFacts)) {
    for (const id of fact.candidate.messageIds) if (!heirs.has(id)) heirs.set(id, fact);
  }
  return heirs;
}

function compareFacts(a: ScoredCandidate, b: ScoredCandidate): number {
  return b.relevance - a.relevance || compareCodePoints(a.candidate.id, b.candidate.id);
}

function inherit(entry: ScoredCandidate, turns: readonly ScoredCandidate[]): ScoredCandidate {
  const most = (part: (of: ScoredCandidate) => number) => Math.max(part(entry), ...turns.map(part));
  if (turns.length === 0) return entry;
  const reranks = [entry, ...turns].flatMap(({ rerank }) => rerank ?? []);
  return {
    ...entry,
    relevance: most(({ relevance }) => relevance),
    lexical: most(({ lexical }) => lexical),
    vector: most(({ vector }) => vector),
    rerank: reranks.length === 0 ? null : Math.max(...reranks),
  };
}
