import type { ConfiguredModel } from '@annals/config';
import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import type { LLMProvider, LLMRequest } from '@annals/llm-core';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the stub's calls are gated as: a model of `openai` without limits per minute. */
export const STUB_MODEL: ConfiguredModel = {
  provider: 'openai',
  apiKey: 'none',
  model: 'stub',
  baseUrl: undefined,
  isFree: false,
  rates: { requestsPerMinute: null, tokensPerMinute: null },
};

/** A model that answers after `delayMs` with one grounded memory for each message. */
export function createStubProvider(delayMs: number): LLMProvider {
  return {
    name: STUB_MODEL.provider,
    model: 'stub',
    async send(request) {
      if (delayMs > 0) await sleep(delayMs, undefined, { signal: request.signal });
      return {
        text: JSON.stringify({
          schemaVersion: RESPONSE_SCHEMA_VERSION,
          memories: request.conversation.messages.map(toMemory),
        }),
        provider: STUB_MODEL.provider,
        model: 'stub',
        usage: { inputTokens: 500, outputTokens: 300 },
        finishReason: 'stop',
        costMicroUsd: 1_000,
      };
    },
    countTokens: async (text) => Math.ceil(text.length / 4),
    estimateTokens: (text) => Math.ceil(text.length / 4),
    getCapabilities: () => ({
      streaming: false,
      remote: true,
      languages: 'any',
      maxInputTokens: 100_000,
      maxOutputTokens: 10_000,
      structuredOutput: 'schema',
      promptCaching: false,
    }),
    estimateCost: () => 1_000,
    estimateMaxCost: () => 1_000,
    validateConfig: async () => true,
    inspect: async () => ({ usable: true, reachable: true, authenticated: true, modelKnown: true }),
  };
}

function toMemory({ id, content }: LLMRequest['conversation']['messages'][number]) {
  return {
    content: content.replace(/^I /, 'Ana '),
    category: 'history',
    type: 'episodic',
    importance: 3,
    confidence: 0.8,
    evidence: [{ message_id: id, quote: content }],
  };
}
