import type {
  MemoryContext,
  MemorySource,
  QueryBullet,
  QueryExplanation,
  QueryHit,
  QueryScoreParts,
  RelatedBullet,
} from '@annals/contracts';
import { type RankedAnswer, removeHidden, renderAnswer, renderHeader, type ScoreParts } from '@annals/domain';
import type { LinkedMemory, SourceRef, ThreadChanges } from '@annals/storage';
import type { QueryPlan } from './plan-query.js';

/** Of one response (docs/reference/recall.md#related-memories). */
const MAX_RELATED = 2;
/** More than are returned, since the strongest may be too long for the rest of the token budget. */
export const RELATED_CANDIDATES = 6;

/** What the results of a query show beside their candidates. */
export interface Attachments {
  /** The caller's own ids of the source messages, by our id. */
  readonly externalIds: ReadonlyMap<string, string>;
  /** Sources with their quotes by memory or message id, and contexts by memory id: only with `return: full`. */
  readonly quotes: ReadonlyMap<string, readonly MemorySource[]>;
  readonly contexts: ReadonlyMap<string, MemoryContext>;
  readonly linked: readonly LinkedMemory[];
}

export function toBullet(
  { candidate, text }: RankedAnswer,
  sources: readonly SourceRef[],
  { externalIds }: Pick<Attachments, 'externalIds'>,
): QueryBullet {
  return {
    id: candidate.id,
    type: candidate.type,
    scope: candidate.scope,
    category: candidate.category,
    text,
    superseded_by: candidate.supersededBy,
    valid_to: candidate.validTo === null ? null : new Date(candidate.validTo).toISOString(),
    sources: sources.map(({ conversationId, messageId }) => ({
      conversation_id: conversationId,
      message_id: messageId,
      external_id: externalIds.get(messageId) ?? null,
    })),
  };
}

// A turn has none.
const NO_CONTEXT = { emotional_context: null, significance: null, relationship_dynamics: null };

export function toHit(
  answer: RankedAnswer,
  bullet: QueryBullet,
  { quotes, contexts }: Pick<Attachments, 'quotes' | 'contexts'>,
): QueryHit {
  const { candidate } = answer;
  return {
    ...bullet,
    content: removeHidden(candidate.content),
    score: roundScore(answer.score),
    scores: roundParts(answer.parts),
    importance: candidate.importance,
    confidence: candidate.confidence,
    pinned: candidate.pinned,
    superseded: candidate.superseded === 'wholly',
    speaker: candidate.speaker,
    thread_id: candidate.threadId,
    valid_from: new Date(candidate.validFrom).toISOString(),
    recorded_at: new Date(candidate.recordedAt).toISOString(),
    ...(contexts.get(candidate.id) ?? NO_CONTEXT),
    sources: [...(quotes.get(candidate.id) ?? [])],
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

/** The most strongly related memories whose text fits into the rest of the token budget. */
export function addRelated(
  linked: readonly LinkedMemory[],
  budgetTokens: number,
  countTokens: (text: string) => number,
): { related: RelatedBullet[]; tokens: number } {
  const related: RelatedBullet[] = [];
  let tokens = 0;
  for (const memory of linked) {
    if (related.length === MAX_RELATED) break;
    const { id, type, scope, category, relatedTo, relationType, strength } = memory;
    const text = renderAnswer(
      {
        kind: 'memory',
        category,
        speaker: null,
        validFrom: memory.validFrom.getTime(),
        saidAt: memory.saidAt.getTime(),
        validTo: null,
        superseded: 'no',
      },
      memory.content,
    );
    const cost = countTokens(text);
    if (tokens + cost > budgetTokens) continue;
    tokens += cost;
    related.push({ id, type, scope, category, text, related_to: relatedTo, relation_type: relationType, strength });
  }
  return { related, tokens };
}

export interface ChangesHeader {
  readonly header: string | null;
  readonly status: QueryExplanation['header'];
  readonly tokens: number;
}

/** The changes header of a response. Omitted if it alone exceeds the token budget, since a part of it would mislead. */
export function renderChangesHeader(
  { changes, omitted }: ThreadChanges,
  { body, view }: QueryPlan,
  countTokens: (text: string) => number,
): ChangesHeader {
  if (body.since_rev === undefined) return { header: null, status: 'not_requested', tokens: 0 };
  const header = renderHeader({ since: body.since_rev, changes, omitted, view });
  if (header === null) return { header, status: 'no_changes', tokens: 0 };
  const tokens = countTokens(header);
  if (tokens > body.budget_tokens) return { header: null, status: 'over_budget', tokens: 0 };
  return { header, status: 'included', tokens };
}
