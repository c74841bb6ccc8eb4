import { buildExtractionPrompt, type LLMProvider, type LLMRequest } from '@annals/llm-core';
import type { LargestCall } from '../checks/check-limits.js';
import type { CommonConfig } from './load-settings.js';

/** UTF-8 bytes of one token of plain text; the upper bound of the cost is computed from bytes. */
const BYTES_PER_TOKEN = 4;

/** The largest call the configuration allows: the most tokens of conversation, and an answer of the maximum length. */
export function measureLargestCall(provider: LLMProvider, { llm, salience }: CommonConfig): LargestCall {
  const content = 'x'.repeat(salience.maxTokens * BYTES_PER_TOKEN);
  const message = { id: 'largest', role: 'user' as const, actorId: null, content, createdAt: 0 };
  const conversation = { messages: [message], context: [] };
  const request: LLMRequest = {
    requestId: 'doctor: largest call',
    task: 'extract_memories',
    conversation,
    prompt: buildExtractionPrompt({ excerpt: conversation }),
    maxOutputTokens: llm.maxOutputTokens,
    signal: new AbortController().signal,
  };
  return {
    provider: provider.name,
    model: provider.model,
    maxCostMicroUsd: provider.estimateMaxCost(request),
    tokens: provider.estimateTokens(request.prompt.system) + salience.maxTokens + llm.maxOutputTokens,
  };
}
