import type { CandidateSearchResult } from '@annals/storage';
import type { QueryPlan } from './plan-query.js';

/** The turns that the prompt of a caller has already: they are no answers. */
export interface PromptContent {
  /** Ids of messages. */
  readonly messageIds: ReadonlySet<string>;
  /** The thread of the prompt, and when its newest message was stored (epoch ms): nothing of it since is an answer. */
  readonly since: { readonly threadId: string; readonly at: number } | null;
}

export const EMPTY_PROMPT: PromptContent = { messageIds: new Set(), since: null };

/** More candidates are read only to be left out. */
const MAX_EXTRA_CANDIDATES = 70;

/** With as many more candidates as can be in the prompt. */
export function leaveRoomFor({ messageIds, since }: PromptContent, plan: QueryPlan): QueryPlan {
  const extra = Math.min(MAX_EXTRA_CANDIDATES, messageIds.size + (since === null ? 0 : 1));
  return extra === 0 ? plan : { ...plan, scope: { ...plan.scope, limit: plan.scope.limit + extra } };
}

export function withoutPrompt(
  found: CandidateSearchResult,
  { messageIds, since }: PromptContent,
): CandidateSearchResult {
  if (messageIds.size === 0 && since === null) return found;
  const candidates = found.candidates.filter(({ kind, id, threadId, saidAt }) => {
    if (kind !== 'turn') return true;
    const isNew = since !== null && threadId === since.threadId && saidAt >= since.at;
    return !isNew && !messageIds.has(id);
  });
  return { ...found, candidates };
}
