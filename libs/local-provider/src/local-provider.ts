import { setImmediate as nextTurn } from 'node:timers/promises';
import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import type { ExtractedMemory, ExtractionResponse } from '@annals/contracts';
import {
  type ConversationExcerpt,
  type KnownUser,
  type LLMProvider,
  type LLMRequest,
  type LLMResponse,
  type ProviderCapabilities,
  type ProviderInspection,
  countTokens,
  estimateTokensByLength,
  identifySpeakers,
  UNKNOWN_USER,
} from '@annals/llm-core';
import { MemoryCollector } from './extract-memories.js';

/** Raised whenever the same message may give other memories. */
export const LOCAL_RULES = 'local-rules-4';

const NOTICE =
  'Extracted by rules that read plain English, good for trying Annals: a language model finds more and words it better.';

/** For trying Annals and for tests: rules over English, the same answer every time, no network, no cost. */
export class LocalProvider implements LLMProvider {
  readonly name = 'local';
  readonly model = LOCAL_RULES;

  async send({ conversation, user, signal }: LLMRequest): Promise<LLMResponse> {
    const response: ExtractionResponse = {
      schemaVersion: RESPONSE_SCHEMA_VERSION,
      memories: await collectMemories(conversation, user, signal),
    };
    return {
      text: JSON.stringify(response),
      provider: this.name,
      model: this.model,
      // Nothing is metered here: counting would cost more than the extraction.
      usage: { inputTokens: 0, outputTokens: 0 },
      finishReason: 'stop',
      costMicroUsd: 0,
      notice: NOTICE,
    };
  }

  countTokens(text: string): Promise<number> {
    return countTokens(text);
  }

  estimateTokens(text: string): number {
    return estimateTokensByLength(text);
  }

  getCapabilities(): ProviderCapabilities {
    return {
      streaming: false,
      remote: false,
      languages: ['en'],
      maxInputTokens: Number.MAX_SAFE_INTEGER,
      maxOutputTokens: Number.MAX_SAFE_INTEGER,
      structuredOutput: 'schema',
      promptCaching: false,
    };
  }

  estimateCost(): number {
    return 0;
  }

  estimateMaxCost(): number {
    return 0;
  }

  async validateConfig(): Promise<boolean> {
    return true;
  }

  async inspect(): Promise<ProviderInspection> {
    return { usable: true, reachable: true, authenticated: true, modelKnown: true };
  }
}

/** Fifty pasted logs take seconds; other requests of the process are served in between. */
const MAX_TURN_MS = 10;

async function collectMemories(
  { messages, context }: ConversationExcerpt,
  user: KnownUser = UNKNOWN_USER,
  signal: AbortSignal,
): Promise<ExtractedMemory[]> {
  const collector = new MemoryCollector(identifySpeakers(user, [...context, ...messages]));
  const startsAt = messages[0]?.createdAt ?? 0;
  // Of the rest of the batch, only what the assistant answered is context.
  for (const message of context) if (message.createdAt <= startsAt) collector.readContext(message);
  let turnStarted = performance.now();
  signal.throwIfAborted();
  for (const message of messages) {
    collector.read(message);
    if (performance.now() - turnStarted < MAX_TURN_MS) continue;
    await nextTurn();
    signal.throwIfAborted();
    turnStarted = performance.now();
  }
  return collector.memories;
}
