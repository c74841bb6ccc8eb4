import type { ModelApi } from './fake-request.js';

/** A model of the server. Prices are integer nano-USD per token, so that charges are exact. */
export interface FakeModel {
  id: string;
  api: ModelApi;
  price: { input: number; output: number; cacheRead: number; cacheWrite: number };
  /** `YYYY-MM-DD`. */
  retiresOn?: string;
  /** Minimum length of a cached prefix, in tokens. */
  cacheFrom?: number;
  maxOutputTokens?: number;
  /** Values of `thinking.type` that are rejected with 400. */
  refusesThinking?: readonly string[];
}

/** Prices and rules of November 2026, for prompts below the long-prompt tiers. */
export const KNOWN_MODELS: readonly FakeModel[] = [
  {
    id: 'claude-haiku-5-5',
    api: 'anthropic',
    price: { input: 100, output: 500, cacheRead: 10, cacheWrite: 125 },
    cacheFrom: 512,
    refusesThinking: ['enabled'],
  },
  {
    id: 'claude-sonnet-5-5',
    api: 'anthropic',
    price: { input: 2_000, output: 10_000, cacheRead: 100, cacheWrite: 2_500 },
    cacheFrom: 1_024,
    refusesThinking: ['enabled', 'disabled'],
  },
  {
    id: 'claude-opus-5-5',
    api: 'anthropic',
    price: { input: 4_000, output: 20_000, cacheRead: 200, cacheWrite: 5_000 },
    refusesThinking: ['enabled', 'disabled'],
  },
  {
    id: 'claude-sonnet-4-5',
    api: 'anthropic',
    price: { input: 3_000, output: 15_000, cacheRead: 300, cacheWrite: 3_750 },
    retiresOn: '2026-11-30',
  },
  { id: 'gpt-6-luna', api: 'openai', price: { input: 100, output: 500, cacheRead: 10, cacheWrite: 125 } },
  { id: 'gpt-6.1-terra', api: 'openai', price: { input: 1_000, output: 5_000, cacheRead: 50, cacheWrite: 1_250 } },
  { id: 'gpt-6.1-sol', api: 'openai', price: { input: 2_000, output: 10_000, cacheRead: 100, cacheWrite: 2_500 } },
  {
    id: 'gpt-4o-mini',
    api: 'openai',
    price: { input: 150, output: 600, cacheRead: 75, cacheWrite: 150 },
    retiresOn: '2027-01-14',
  },
  { id: 'text-embedding-3-small', api: 'openai', price: { input: 20, output: 0, cacheRead: 20, cacheWrite: 20 } },
  { id: 'text-embedding-3-large', api: 'openai', price: { input: 130, output: 0, cacheRead: 130, cacheWrite: 130 } },
];
