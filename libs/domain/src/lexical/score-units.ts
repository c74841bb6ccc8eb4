import type { RecallKind } from '../recall/types.js';
import { inverseDocumentFrequency } from '../query/score-bm25.js';
import { decodeEntries } from './posting-entries.js';
import { OWN_WEIGHT, type UnitScores, type UnitSearch } from './types.js';

const K1 = 1.2;

/** Scores the units under a question's terms, best first. */
export function scoreUnits({ lists, question, statistics, limit }: UnitSearch): UnitScores {
  const documents = statistics.memory.units + statistics.turn.units;
  const scores = new Map<number, { kind: RecallKind; unit: number; score: number }>();
  let ceiling = 0;
  for (const { term, weight } of question) {
    const entries = lists
      .filter((list) => list.term === term)
      .flatMap(({ kind, entries: bytes }) => decodeEntries(bytes).map((entry) => ({ kind, ...entry })));
    const idf = inverseDocumentFrequency(entries.length, documents) * weight;
    ceiling += idf * (K1 + 1);
    for (const entry of entries) {
      const frequency = entry.weight / OWN_WEIGHT;
      const scored = scores.get(entry.unit) ?? { kind: entry.kind, unit: entry.unit, score: 0 };
      scored.score += (idf * frequency * (K1 + 1)) / (frequency + K1);
      scores.set(entry.unit, scored);
    }
  }
  const units = [...scores.values()].toSorted((a, b) => b.score - a.score || a.unit - b.unit).slice(0, limit);
  return { units, ceiling };
}
