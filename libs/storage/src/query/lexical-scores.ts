import {
  analyzeMemory,
  analyzeTurns,
  encodeEntries,
  pauseInTransaction,
  type CollectionStatistics,
  type PostingList,
  type QueryTerm,
  type RecallKind,
  runInSlices,
  scoreUnits,
  type Sliced,
  type UnitScores,
  type UnitTerms,
} from '@annals/domain';
import type { IndexSnapshot } from './read-index.js';
import type { UnindexedTexts } from './read-unindexed.js';

/** A unit's number in the index, or the id of a text that is not in the index. */
export type UnitRef = { readonly unit: number } | { readonly id: string };

/** A unit of the index that passes all filters. */
export interface ScopedUnit {
  readonly id: string;
  readonly unit: number;
}

/** Lexical scores of a query for each unit. */
export class LexicalScores {
  private readonly unitsById: ReadonlyMap<string, number>;
  private scores: UnitScores;

  constructor(
    private readonly rank: (limit: number) => UnitScores,
    private readonly texts: readonly UnindexedUnit[],
    private limit: number,
  ) {
    this.unitsById = new Map(texts.map(({ id }, index) => [id, numberOf(index)]));
    this.scores = rank(limit);
  }

  /** Maximum score of a unit that has every term of the query. */
  get ceiling(): number {
    return this.scores.ceiling;
  }

  /**
   * Refs of the units of a kind that share a term with the query, best first: `count` of them, or all when there are
   * fewer. The thousands of units that share a common word are sorted only when filters leave out all better ones.
   */
  refs(kind: RecallKind, count: number): readonly UnitRef[] {
    if (count > this.limit) {
      this.limit = Number.MAX_SAFE_INTEGER;
      this.scores = this.rank(this.limit);
    }
    const known = this.scores.units.filter((unit) => unit.kind === kind);
    return known.slice(0, count).map(({ unit }) => this.refOf(unit));
  }

  /** Refs of the units that pass all filters and share a term with the query, best first. */
  rankScope(kind: RecallKind, scope: readonly ScopedUnit[]): readonly UnitRef[] {
    // Texts that are not in the index were filtered when they were read.
    const unindexed = this.texts.flatMap((text, index) => (text.kind === kind ? [numberOf(index)] : []));
    return [...scope.map(({ unit }) => unit), ...unindexed]
      .map((unit) => ({ unit, score: this.scores.scoreOf(unit) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || a.unit - b.unit)
      .map(({ unit }) => this.refOf(unit));
  }

  /** The lexical score of a row, 0 when it shares no term. */
  of({ unit, id }: { readonly unit: number | null; readonly id: string }): number {
    const unindexed = this.unitsById.get(id);
    return Math.max(
      unit === null ? 0 : this.scores.scoreOf(unit),
      unindexed === undefined ? 0 : this.scores.scoreOf(unindexed),
    );
  }

  private refOf(unit: number): UnitRef {
    return unit < 0 ? { id: this.texts[-1 - unit]!.id } : { unit };
  }
}

/** Texts that are not in the index are numbered down from −1. */
const numberOf = (index: number) => -1 - index;

/** Scores indexed and unindexed texts together, by the same rule and in one order. Long texts are read in slices. */
export async function scoreIndex(
  { lists, statistics, unindexed }: Pick<IndexSnapshot, 'lists' | 'statistics' | 'unindexed'>,
  query: readonly QueryTerm[],
  limit: number,
): Promise<LexicalScores> {
  const texts = await runInSlices(analyzeUnindexed(unindexed), pauseInTransaction);
  const search = {
    lists: [...lists, ...listTerms(texts, query)],
    query,
    statistics: addTurns(statistics, texts),
  };
  return new LexicalScores((unitLimit) => scoreUnits({ ...search, limit: unitLimit }), texts, limit);
}

interface UnindexedUnit {
  readonly kind: RecallKind;
  readonly id: string;
  readonly analysis: UnitTerms;
}

function* analyzeUnindexed({ turns, memories }: UnindexedTexts): Sliced<UnindexedUnit[]> {
  const analyses = new Map<string, UnitTerms>();
  for (const run of Map.groupBy(turns, ({ conversationId }) => conversationId).values()) {
    for (const [id, analysis] of yield* analyzeTurns(run)) analyses.set(id, analysis);
  }
  return [
    ...turns.flatMap(({ id, isMatch }) => {
      const analysis = isMatch ? analyses.get(id) : undefined;
      return analysis ? [{ kind: 'turn' as const, id, analysis }] : [];
    }),
    ...memories.map((memory) => ({
      kind: 'memory' as const,
      id: memory.id,
      analysis: analyzeMemory({ ...memory, speaker: null }),
    })),
  ];
}

function listTerms(texts: readonly UnindexedUnit[], query: readonly QueryTerm[]): PostingList[] {
  if (texts.length === 0) return [];
  const terms = new Set(query.map(({ term }) => term));
  return [...terms].flatMap((term) =>
    (['memory', 'turn'] as const).flatMap((kind) => {
      const entries = texts.flatMap(({ kind: ofKind, analysis }, index) => {
        const weight = ofKind === kind ? analysis.terms.get(term) : undefined;
        return weight === undefined ? [] : [{ unit: numberOf(index), weight, length: analysis.unitLength }];
      });
      return entries.length === 0 ? [] : [{ kind, term, entries: encodeEntries(entries) }];
    }),
  );
}

/** Memories count in the statistics as soon as they are written; turns when they are indexed. */
function addTurns(
  statistics: Readonly<Record<RecallKind, CollectionStatistics>>,
  texts: readonly UnindexedUnit[],
): Record<RecallKind, CollectionStatistics> {
  const turns = texts.filter(({ kind }) => kind === 'turn');
  return {
    memory: statistics.memory,
    turn: {
      units: statistics.turn.units + turns.length,
      totalLength: statistics.turn.totalLength + turns.reduce((sum, { analysis }) => sum + analysis.length, 0),
    },
  };
}
