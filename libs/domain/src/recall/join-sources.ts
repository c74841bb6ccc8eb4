import { compareCodePoints } from '../encoding/index.js';
import type { DroppedCandidate, ScoredCandidate } from './types.js';

export interface JoinedCandidates {
  readonly joined: ScoredCandidate[];
  readonly dropped: DroppedCandidate[];
}

/**
 * Makes a fact and the turns it rests on one answer, the fact first (decision 28): the turns go, and what they were found
 * by counts for the fact. Of several facts of one turn it counts for the one that answers best by itself; the others
 * stand for themselves. Where none of them has anything to do with the question, the turn is the answer: of "I moved to
 * Rome, and I love tea", a fact about tea tells nothing of Rome.
 */
export function joinSources(scored: readonly ScoredCandidate[]): JoinedCandidates {
  const facts = scored.filter(({ candidate }) => candidate.kind === 'memory');
  const heirs = findHeirs(facts);
  const inherited = new Map<ScoredCandidate, ScoredCandidate[]>();
  const joined: ScoredCandidate[] = [];
  const dropped: DroppedCandidate[] = [];
  const standing = listStanding(scored, heirs);
  for (const entry of scored) {
    const { kind, id, messageIds } = entry.candidate;
    if (kind === 'memory' && !isRelevant(entry) && messageIds.some((message) => standing.has(message))) {
      dropped.push({ id, kind, why: 'same_source' });
      continue;
    }
    const heir = kind === 'turn' && !standing.has(id) ? heirs.get(id) : undefined;
    if (heir === undefined) {
      joined.push(entry);
    } else {
      inherited.set(heir, [...(inherited.get(heir) ?? []), entry]);
      dropped.push({ id: entry.candidate.id, kind: 'turn', why: 'same_source' });
    }
  }
  return { joined: joined.map((entry) => inherit(entry, inherited.get(entry) ?? [])), dropped };
}

/** Turns that bear on the question while none of their facts does. */
function listStanding(
  scored: readonly ScoredCandidate[],
  heirs: ReadonlyMap<string, ScoredCandidate>,
): ReadonlySet<string> {
  const standing = scored.filter((entry) => {
    const heir = entry.candidate.kind === 'turn' ? heirs.get(entry.candidate.id) : undefined;
    return heir !== undefined && isRelevant(entry) && !isRelevant(heir);
  });
  return new Set(standing.map(({ candidate }) => candidate.id));
}

/** Found by more than the turn that it comes from. */
function isRelevant({ relevance }: ScoredCandidate): boolean {
  return relevance > 0;
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
