import type { MemoryQueryAnswer, MemorySource, QueryHit } from '@annals/contracts';
import { renderBullet } from '@annals/domain';
import type { RankedCandidate } from './rank-candidates.js';

/** A ranked memory with the text that is returned of it. */
export interface RenderedCandidate extends RankedCandidate {
  readonly text: string;
}

/** "[category] text (day)": what goes into a prompt, and what the token budget counts. */
export function renderText(ranked: RankedCandidate): RenderedCandidate {
  const { category, content, validFrom } = ranked.candidate;
  return { ...ranked, text: renderBullet({ category, text: content, validFrom }) };
}

type Bullet = MemoryQueryAnswer['memories'][number];

export function toBullet({ candidate, text }: RenderedCandidate, sources: readonly MemorySource[]): Bullet {
  return {
    id: candidate.id,
    category: candidate.category,
    text,
    sources: sources.map(({ conversation_id, message_id }) => ({ conversation_id, message_id })),
  };
}

export function toHit(
  { candidate, text, score, scores }: RenderedCandidate,
  sources: readonly MemorySource[],
): QueryHit {
  return {
    id: candidate.id,
    category: candidate.category,
    text,
    type: candidate.type,
    score: roundScore(score),
    scores: { vector: roundScore(scores.vector), lexical: roundScore(scores.lexical) },
    importance: candidate.importance,
    confidence: candidate.confidence,
    pinned: candidate.pinned,
    valid_from: new Date(candidate.validFrom).toISOString(),
    valid_to: candidate.validTo === null ? null : new Date(candidate.validTo).toISOString(),
    recorded_at: new Date(candidate.recordedAt).toISOString(),
    sources: [...sources],
  };
}

function roundScore(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
