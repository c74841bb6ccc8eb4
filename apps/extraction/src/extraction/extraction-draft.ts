import type { ExtractionResult } from '@annals/storage';
import type { ModelAnswer } from './call-model/model-answer.js';
import type { PreparedConversation } from './prepare-conversation.js';
import type { RepairedAnswer } from './repair-answer.js';

/** The part of an extraction's result that does not depend on the lease. */
export type ExtractionDraft = Omit<ExtractionResult, 'batchId' | 'fence' | 'now' | 'trace'>;

/** For a batch without messages of users: no call is made. */
export const EMPTY_EXTRACTION: ExtractionDraft = {
  provider: 'none',
  model: 'none',
  notice: null,
  answer: '',
  items: [],
  settlement: null,
  promptVersion: null,
  diagnostics: null,
  prunedMessages: 0,
};

/** What is stored of an answer. `prepared` is null when the model read the whole batch without a prompt. */
export function toExtractionDraft(
  { received: { response, truncated }, answer, call }: ModelAnswer,
  { items, writing, multiFact, categoryAssignment }: RepairedAnswer,
  prepared: PreparedConversation | null,
): ExtractionDraft {
  const { repairs, dropped, adaptedFrom } = answer;
  return {
    provider: response.provider,
    model: response.model,
    notice: response.notice ?? null,
    answer: response.text,
    items: [...items],
    settlement: call?.settlement ?? null,
    promptVersion: prepared?.prompt.version ?? null,
    diagnostics: {
      selection: describeSelection(prepared),
      answer: { truncated, repairs, dropped, adaptedFrom },
      writing,
      multiFact,
      categoryAssignment,
    },
    prunedMessages: prepared?.fitted.selection.prunedCount ?? 0,
  };
}

/** Ids and numbers only (docs/reference/extraction.md#diagnostics-of-the-choice). */
function describeSelection(prepared: PreparedConversation | null): object | null {
  if (!prepared) return null;
  const { selection, omittedContextCount } = prepared.fitted;
  const { selectedIds, prunedIds, prunedCount, estimatedTokens, scores } = selection;
  const { promptTokens } = prepared;
  return { selectedIds, prunedIds, prunedCount, estimatedTokens, scores, omittedContextCount, promptTokens };
}
