import type { KnownUser } from '@annals/domain';
import type { ExtractionPrompt, LLMRequest } from '@annals/llm-core';
import type { JobAttempt, ClaimedBatch } from '@annals/runtime';
import type { PreparedConversation } from '../prompt/prepare-conversation.js';
import type { Excerpt } from '../prompt/select-excerpt.js';

/** What all calls for one batch have in common. */
export interface BatchRequest {
  readonly batch: ClaimedBatch;
  readonly attempt: Pick<JobAttempt, 'signal' | 'withoutSlot'>;
  /** The request without the fields that differ between calls. */
  readonly request: Omit<LLMRequest<ExtractionPrompt>, 'signal' | 'correction' | 'maxOutputTokens'>;
  /** Estimated tokens of the prompt. */
  readonly promptTokens: number;
}

/** For the local provider, which uses the conversation instead of a prompt. */
const NO_PROMPT: ExtractionPrompt = {
  version: 'none',
  system: '',
  user: '',
  schemaName: 'none',
  schema: {},
  messageIds: new Map(),
};

/** `prepared` is null for a chain without remote models; `user` is who of the speakers is the user. */
export function buildBatchRequest(
  batch: ClaimedBatch,
  excerpt: Excerpt,
  prepared: PreparedConversation | null,
  attempt: JobAttempt,
  user: KnownUser,
): BatchRequest {
  return {
    batch,
    attempt,
    request: {
      // The fence makes the id unique to this attempt.
      requestId: `${batch.batchId}-${batch.fence}`,
      task: 'extract_memories',
      // The prompt may contain only a part of a long batch; a local provider reads all of it.
      conversation: excerpt,
      user,
      prompt: prepared?.prompt ?? NO_PROMPT,
    },
    promptTokens: prepared?.promptTokens ?? 0,
  };
}
