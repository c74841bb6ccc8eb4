import type { QueryDropReason } from '@annals/contracts';
import {
  createSliceMeter,
  type RankedAnswer,
  type RecallCandidate,
  type RecallKind,
  renderAnswer,
  type Sliced,
} from '@annals/domain';

export interface DroppedCandidate {
  readonly id: string;
  readonly kind: RecallKind;
  readonly why: QueryDropReason;
}

export interface Selection {
  readonly kept: readonly RankedAnswer[];
  readonly dropped: readonly DroppedCandidate[];
  /** Of the texts of the results. */
  readonly tokens: number;
}

const NO_PARTS = { vector: 0, lexical: 0, relevance: 0, rerank: null, recency: 0, importance: 0, relation: 0 };

/** Memories that were listed by category, as they are served, with their tokens. */
export function* renderLines(
  candidates: readonly RecallCandidate[],
  countTokens: (text: string) => number,
): Sliced<RankedAnswer[]> {
  const meter = createSliceMeter();
  const lines: RankedAnswer[] = [];
  for (const candidate of candidates) {
    const { content } = candidate;
    yield* meter(content.length);
    const text = renderAnswer(candidate, content);
    lines.push({ candidate, score: 0, parts: NO_PARTS, content, isCut: false, text, tokens: countTokens(text) });
  }
  return lines;
}

interface FitOptions {
  readonly topK: number;
  readonly budgetTokens: number;
  /** Lines that are kept before any other. */
  readonly certain?: ReadonlySet<RankedAnswer>;
}

/** The lines in the given order, until `topK` or the token budget is used up; one that is too long is left out. */
export function fitToBudget(
  lines: readonly RankedAnswer[],
  { topK, budgetTokens, certain = new Set() }: FitOptions,
): Selection {
  const kept: RankedAnswer[] = [];
  const dropped: DroppedCandidate[] = [];
  let tokens = lines.filter((line) => certain.has(line)).reduce((sum, line) => sum + line.tokens, 0);
  for (const line of lines) {
    const { id, kind } = line.candidate;
    if (certain.has(line)) {
      kept.push(line);
    } else if (kept.length === topK) {
      dropped.push({ id, kind, why: 'top_k' });
    } else if (tokens + line.tokens > budgetTokens) {
      dropped.push({ id, kind, why: 'budget' });
    } else {
      tokens += line.tokens;
      kept.push(line);
    }
  }
  return { kept, dropped, tokens };
}
