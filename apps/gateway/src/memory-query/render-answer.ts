import type { MemorySource, QueryBullet, QueryHit, QueryScoreParts } from '@annals/contracts';
import type { RankedAnswer, ScoreParts } from '@annals/domain';
import type { SourceRef } from '@annals/storage';

export function toBullet({ candidate, text }: RankedAnswer, sources: readonly SourceRef[]): QueryBullet {
  return {
    id: candidate.id,
    type: candidate.type,
    category: candidate.category,
    text,
    sources: sources.map(({ conversationId, messageId }) => ({
      conversation_id: conversationId,
      message_id: messageId,
    })),
  };
}

export function toHit(answer: RankedAnswer, bullet: QueryBullet, sources: readonly MemorySource[]): QueryHit {
  const { candidate } = answer;
  return {
    ...bullet,
    content: candidate.content,
    score: roundScore(answer.score),
    scores: roundParts(answer.parts),
    importance: candidate.importance,
    confidence: candidate.confidence,
    pinned: candidate.pinned,
    superseded: candidate.isSuperseded,
    speaker: candidate.speaker,
    thread_id: candidate.threadId,
    valid_from: new Date(candidate.validFrom).toISOString(),
    valid_to: candidate.validTo === null ? null : new Date(candidate.validTo).toISOString(),
    recorded_at: new Date(candidate.recordedAt).toISOString(),
    sources: [...sources],
  };
}

export function roundParts(parts: ScoreParts): QueryScoreParts {
  const { rerank, ...others } = parts;
  return {
    vector: roundScore(others.vector),
    lexical: roundScore(others.lexical),
    relevance: roundScore(others.relevance),
    rerank: rerank === null ? null : roundScore(rerank),
    recency: roundScore(others.recency),
    importance: roundScore(others.importance),
    relation: roundScore(others.relation),
  };
}

export function roundScore(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
