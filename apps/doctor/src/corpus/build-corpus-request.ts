import {
  buildExtractionPrompt,
  type ConversationMessage,
  type ExtractionPrompt,
  type LLMRequest,
} from '@annals/llm-core';
import type { CorpusCase } from './corpus.js';

/** Enough for the few memories of a case, thinking included; the upper bound of the cost grows with it. */
const MAX_OUTPUT_TOKENS = 2_048;
const MINUTE_MS = 60_000;
const MESSAGE_TIME = Date.UTC(2026, 5, 1, 9);

/** The messages of a case, with ids of their own. */
export function listCorpusMessages({ turns }: CorpusCase): ConversationMessage[] {
  return turns.map(({ role, content }, index) => ({
    id: `corpus-${index + 1}`,
    role,
    actorId: null,
    content,
    createdAt: MESSAGE_TIME + index * MINUTE_MS,
  }));
}

/** The request that the services would send for a case: users' messages can be cited, the others are context. */
export function buildCorpusRequest(
  corpusCase: CorpusCase,
  maxOutputTokens: number,
  signal: AbortSignal,
): LLMRequest<ExtractionPrompt> {
  const messages = listCorpusMessages(corpusCase);
  const conversation = {
    messages: messages.filter(({ role }) => role === 'user'),
    context: messages.filter(({ role }) => role !== 'user'),
  };
  return {
    requestId: `doctor: ${corpusCase.name}`,
    task: 'extract_memories',
    conversation,
    prompt: buildExtractionPrompt({ excerpt: conversation, order: messages.map(({ id }) => id) }),
    maxOutputTokens: Math.min(maxOutputTokens, MAX_OUTPUT_TOKENS),
    signal,
  };
}
