import { checkMerge, checkMergedText, type MergeProblem } from './check-merge.js';
import { mergeByWords } from './merge-by-words.js';
import type { PlannedPair } from './plan-pairs.js';
import type { Rerank } from './plan-rerank.js';
import type { ConsolidationMemory } from './types.js';

/** The decision about a pair: by words alone, or a model's. `quotes`: those of the sources of both. */
export type PairDecision = {
  readonly pair: PlannedPair;
  readonly by: 'words' | 'model';
  readonly quotes?: readonly string[];
} & (
  { readonly verdict: 'merge'; readonly content: string } | { readonly verdict: 'link' } | { readonly verdict: 'apart' }
);

interface MemoryRef {
  readonly memoryId: string;
  readonly revision: number;
}

/** A change of a run; applied only while the memories still have these revisions. */
export type RunChange =
  | {
      readonly kind: 'merge';
      /** Superseded by a new memory with `content` and the sources of both, or by the one of them that has this content. */
      readonly parts: readonly [MemoryRef, MemoryRef];
      readonly content: string;
      readonly kept: string | null;
      readonly importance: number;
      readonly validFrom: number;
      readonly reason: 'words' | 'model';
    }
  | {
      readonly kind: 'link';
      readonly parts: readonly [MemoryRef, MemoryRef];
      readonly strength: number;
      readonly reason: 'related';
    }
  | ({ readonly kind: 'rerank' } & Rerank);

/** A merge that was decided and is not written. */
export interface RefusedMerge {
  readonly pair: PlannedPair;
  readonly content: string;
  readonly problems: readonly MergeProblem[];
}

export interface RunPlan {
  readonly changes: readonly RunChange[];
  readonly refused: readonly RefusedMerge[];
  /** Decided pairs, not to be decided again for 14 days: all but those of a memory that this run merges otherwise. */
  readonly fingerprints: readonly string[];
}

/** Without a model: merged where words decide, otherwise left as they are. */
export function decideByWords(pair: PlannedPair): PairDecision {
  const content = mergeByWords(pair.a, pair.b);
  return content === null ? { pair, by: 'words', verdict: 'apart' } : { pair, by: 'words', verdict: 'merge', content };
}

/**
 * The changes of a run, in order: merges and relations by similarity, then importance. A memory is merged once in a run,
 * and its importance is left alone in it.
 */
export function planRun(decisions: readonly PairDecision[], reranks: readonly Rerank[]): RunPlan {
  const changes: RunChange[] = [];
  const refused: RefusedMerge[] = [];
  const fingerprints: string[] = [];
  const merged = new Set<string>();
  for (const decision of decisions) {
    const { a, b, fingerprint } = decision.pair;
    if (merged.has(a.id) || merged.has(b.id)) continue;
    fingerprints.push(fingerprint);
    if (decision.verdict === 'apart') continue;
    if (decision.verdict === 'link') {
      changes.push({ kind: 'link', parts: refer(a, b), strength: clamp(decision.pair.score), reason: 'related' });
      continue;
    }
    const problems = findProblems(decision.pair, decision);
    if (problems.length > 0) refused.push({ pair: decision.pair, content: decision.content, problems });
    else {
      changes.push(createMerge(decision.pair, decision.content, decision.by));
      merged.add(a.id).add(b.id);
    }
  }
  const open = reranks.filter(({ memoryId }) => !merged.has(memoryId));
  return {
    changes: [...changes, ...open.map((rerank) => ({ kind: 'rerank', ...rerank }) as const)],
    refused,
    fingerprints,
  };
}

type Proposal = Pick<PairDecision, 'by' | 'quotes'> & { readonly content: string };

function findProblems({ a, b }: PlannedPair, { by, content, quotes = [] }: Proposal): MergeProblem[] {
  return by === 'model'
    ? checkMerge({ parts: [a, b], content, quotes })
    : checkMergedText([a.content, b.content], content, { type: a.type, quotes });
}

function createMerge({ a, b }: PlannedPair, content: string, by: PairDecision['by']): RunChange {
  return {
    kind: 'merge',
    parts: refer(a, b),
    content,
    kept: [a, b].find((memory) => memory.content === content)?.id ?? null,
    importance: Math.max(a.importance, b.importance),
    validFrom: Math.min(a.validFrom, b.validFrom),
    reason: by,
  };
}

function refer(a: ConsolidationMemory, b: ConsolidationMemory): readonly [MemoryRef, MemoryRef] {
  return [
    { memoryId: a.id, revision: a.revision },
    { memoryId: b.id, revision: b.revision },
  ];
}

const clamp = (score: number) => Math.min(1, Math.max(0, score));
