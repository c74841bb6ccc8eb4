import type { WeighedCandidate } from './score-answer.js';
import type { RecallCandidate } from './types.js';

/** Which answers state what holds instead of a turn that is over (docs/reference/recall.md#turns-that-are-over). */
export class NewerStatements {
  private readonly stating = new Map<string, RecallCandidate[]>();

  constructor(candidates: readonly RecallCandidate[]) {
    for (const candidate of candidates) {
      for (const id of listStated(candidate)) this.stating.set(id, [...(this.stating.get(id) ?? []), candidate]);
    }
  }

  /** The candidates that state what replaced this turn; none for anything that is not over. */
  of({ kind, supersededBy }: RecallCandidate): readonly RecallCandidate[] {
    return kind === 'turn' && supersededBy !== null ? (this.stating.get(supersededBy) ?? []) : [];
  }

  /** Turns that are over, with at most the score of the best that states what replaced them. */
  rankBelow(weighed: readonly WeighedCandidate[]): WeighedCandidate[] {
    const scores = new Map(weighed.map(({ entry, score }) => [entry.candidate, score]));
    return weighed.map((candidate) => {
      const newer = this.of(candidate.entry.candidate).flatMap((other) => scores.get(other) ?? []);
      return newer.length === 0 ? candidate : { ...candidate, score: Math.min(candidate.score, Math.max(...newer)) };
    });
  }
}

const listStated = ({ kind, id, states = [] }: RecallCandidate) => (kind === 'memory' ? [id] : states);
