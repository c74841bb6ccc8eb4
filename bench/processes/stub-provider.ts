import type { ConfiguredModel } from '@annals/config';
import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import type { LLMProvider, LLMRequest } from '@annals/llm-core';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How the stub is treated: like the local model in the process, or like a remote model of `openai` without limits per
 * minute.
 */
const STUB_MODELS = {
  inside: { provider: 'local' },
  remote: {
    provider: 'openai',
    apiKey: 'none',
    model: 'stub',
    baseUrl: undefined,
    isFree: false,
    rates: { requestsPerMinute: null, tokensPerMinute: null },
  },
} as const satisfies Record<string, ConfiguredModel>;

export type StubKind = keyof typeof STUB_MODELS;

/** The configuration for the stub. */
export function describeStub(kind: StubKind): ConfiguredModel {
  return STUB_MODELS[kind];
}

/** A model that answers after `delayMs` with one grounded memory per message. */
export function createStubProvider(kind: StubKind, delayMs: number): LLMProvider {
  const { provider: name } = STUB_MODELS[kind];
  const isRemote = kind === 'remote';
  const costMicroUsd = isRemote ? 1_000 : 0;
  return {
    name,
    model: 'stub',
    async send(request) {
      if (delayMs > 0) await sleep(delayMs, undefined, { signal: request.signal });
      return {
        text: JSON.stringify({
          schemaVersion: RESPONSE_SCHEMA_VERSION,
          memories: request.conversation.messages.map(toMemory),
        }),
        provider: name,
        model: 'stub',
        usage: { inputTokens: 500, outputTokens: 300 },
        finishReason: 'stop',
        costMicroUsd,
      };
    },
    countTokens: async (text) => Math.ceil(text.length / 4),
    estimateTokens: (text) => Math.ceil(text.length / 4),
    getCapabilities: () => ({
      streaming: false,
      remote: isRemote,
      languages: 'any',
      maxInputTokens: 100_000,
      maxOutputTokens: 10_000,
      structuredOutput: 'schema',
      promptCaching: false,
    }),
    estimateCost: () => costMicroUsd,
    estimateMaxCost: () => costMicroUsd,
    validateConfig: async () => true,
    inspect: async () => ({ usable: true, reachable: true, authenticated: true, modelKnown: true }),
  };
}

function toMemory({ id, content }: LLMRequest['conversation']['messages'][number]) {
  return {
    // In a form that extraction does not change (docs/reference/writing-constraints.md#rules-that-are-checked).
    content: content.replace(/^I /, 'Ana ').replace(' my ', " Ana's ").replace(' this year', ' in 2026'),
    category: 'history',
    type: 'episodic',
    importance: 3,
    confidence: 0.8,
    evidence: [{ message_id: id, quote: content }],
  };
}
