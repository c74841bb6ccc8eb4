import type { RankedAnswer, RecallCandidate } from './types.js';

/** Lines beside the answers that have to be served, since turns that they replaced are left out for them. */
export class ReplacingLines {
  readonly lines = new Set<RankedAnswer>();
  private readonly byId: ReadonlyMap<string, RankedAnswer>;

  constructor(beside: readonly RankedAnswer[]) {
    this.byId = new Map(beside.map((line) => [line.candidate.id, line]));
  }

  get tokens(): number {
    return [...this.lines].reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** Whether a line states what replaced this turn and fits, with the lines before, into so many tokens. */
  replace({ kind, supersededBy }: RecallCandidate, tokens: number): boolean {
    const line = kind === 'turn' && supersededBy !== null ? this.byId.get(supersededBy) : undefined;
    if (line === undefined) return false;
    if (this.lines.has(line)) return true;
    if (this.tokens + line.tokens > tokens) return false;
    this.lines.add(line);
    return true;
  }

  /** An answer is not served beside the answers as well. */
  drop({ id }: RecallCandidate): void {
    const line = this.byId.get(id);
    if (line) this.lines.delete(line);
  }
}
