import {
  analyzeMemory,
  analyzeTurns,
  encodeEntries,
  type CollectionStatistics,
  type PostingList,
  type QueryTerm,
  type RecallKind,
  scoreUnits,
  type UnitScores,
  type UnitTerms,
} from '@annals/domain';
import type { IndexReading } from './read-index.js';
import type { UnindexedTexts } from './read-unindexed.js';

/** What the words of a question say for each unit. */
export class LexicalScores {
  private readonly byUnit = new Map<number, number>();
  private readonly byId = new Map<string, number>();
  private readonly best: Record<RecallKind, Place[]> = { memory: [], turn: [] };

  constructor({ units, ceiling }: UnitScores, texts: readonly UnindexedUnit[]) {
    this.ceiling = ceiling;
    for (const { kind, unit, score } of units) {
      if (unit >= 0) this.byUnit.set(unit, score);
      else this.byId.set(texts[-1 - unit]!.id, score);
      this.best[kind].push(unit >= 0 ? { unit } : { id: texts[-1 - unit]!.id });
    }
  }

  /** What a unit that has every term of the question could score at most. */
  readonly ceiling: number;

  /** Where the units of a kind are that share a term with the question, best first. */
  places(kind: RecallKind): readonly Place[] {
    return this.best[kind];
  }

  /** The score of a row, 0 when it shares no term. */
  of({ unit, id }: { readonly unit: number | null; readonly id: string }): number {
    return Math.max((unit === null ? undefined : this.byUnit.get(unit)) ?? 0, this.byId.get(id) ?? 0);
  }
}

/** A unit's number in the index, or the id of what is not in there. */
export type Place = { readonly unit: number } | { readonly id: string };

/** Scores what the index knows together with what it does not know yet, by the same rule and in one order. */
export function scoreIndex(
  { lists, statistics, unindexed }: Pick<IndexReading, 'lists' | 'statistics' | 'unindexed'>,
  question: readonly QueryTerm[],
): LexicalScores {
  const texts = analyzeUnindexed(unindexed);
  const scores = scoreUnits({
    lists: [...lists, ...listTerms(texts, question)],
    question,
    statistics: addTurns(statistics, texts),
    limit: Number.MAX_SAFE_INTEGER,
  });
  return new LexicalScores(scores, texts);
}

interface UnindexedUnit {
  readonly kind: RecallKind;
  readonly id: string;
  readonly analysis: UnitTerms;
}

/** Their numbers are −1, −2, … by place. */
function analyzeUnindexed({ turns, memories }: UnindexedTexts): UnindexedUnit[] {
  const conversations = [...Map.groupBy(turns, ({ conversationId }) => conversationId).values()];
  const analyses = new Map(conversations.flatMap((run) => [...analyzeTurns(run)]));
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

function listTerms(texts: readonly UnindexedUnit[], question: readonly QueryTerm[]): PostingList[] {
  if (texts.length === 0) return [];
  const terms = new Set(question.map(({ term }) => term));
  return [...terms].flatMap((term) =>
    (['memory', 'turn'] as const).flatMap((kind) => {
      const entries = texts.flatMap(({ kind: ofKind, analysis }, index) => {
        const weight = ofKind === kind ? analysis.terms.get(term) : undefined;
        return weight === undefined ? [] : [{ unit: -1 - index, weight, length: analysis.unitLength }];
      });
      return entries.length === 0 ? [] : [{ kind, term, entries: encodeEntries(entries) }];
    }),
  );
}

/** Memories count in the statistics from when they are written; turns from when they are indexed. */
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
