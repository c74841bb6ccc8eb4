import type { FakeModelsRemote } from '@annals/testing';
import type { WorkerOptions } from '../frame/deployment.ts';

/** One variant of extraction to compare. */
export interface Side {
  readonly name: string;
  /** Calls over HTTP, with the SDK of a provider. */
  readonly isRemote: boolean;
  readonly isStreamed: boolean;
  /** Options of a worker of this side, for a model with a delay of `delayMs`. */
  describeWorker(delayMs: number): Omit<WorkerOptions, 'concurrency'>;
}

/** Limits that are enforced in every scope, but never reached. */
const BUDGET_USD = '100000';
const UNLIMITED_PER_MINUTE = '1000000000';

/**
 * From the bare pipeline to the complete one: a stub in the process without prompt, admission control and ledger; the
 * same with them; real SDKs against the fake models' server.
 */
export function listSides(fake: FakeModelsRemote): Side[] {
  return [
    createStubSide('inside', 'stub, no LLM layer'),
    createStubSide('remote', 'stub with admission control and ledger'),
    createRemoteSide('claude, streamed', 'claude', fake.anthropicUrl, true),
    createRemoteSide('claude, whole', 'claude', fake.anthropicUrl, false),
    createRemoteSide('openai, streamed', 'openai', fake.openaiUrl, true),
  ];
}

/** Vectors of memories from the fake models' server, charged and remote. */
export function describeRemoteEmbeddings(fake: FakeModelsRemote): Readonly<Record<string, string>> {
  return {
    ANNALS_EMBEDDINGS: 'openai',
    ANNALS_EMBEDDINGS_BASE_URL: fake.openaiUrl,
    ANNALS_EMBEDDINGS_API_KEY: 'bench',
    ANNALS_EMBEDDINGS_MODEL: 'text-embedding-3-small',
    ANNALS_EMBEDDINGS_DIMENSIONS: '1536',
    ...describeBudgets(),
  };
}

function createStubSide(kind: 'inside' | 'remote', name: string): Side {
  return {
    name,
    isRemote: false,
    isStreamed: false,
    describeWorker: (delayMs) => ({ model: { kind, delayMs }, env: describeBudgets() }),
  };
}

function createRemoteSide(name: string, provider: 'claude' | 'openai', url: string, isStreamed: boolean): Side {
  const prefix = `MEMORY_LLM_${provider.toUpperCase()}`;
  const env = {
    MEMORY_LLM_PRIMARY: provider,
    MEMORY_LLM_STREAMING: `${isStreamed}`,
    [`${prefix}_API_KEY`]: 'bench',
    [`${prefix}_BASE_URL`]: url,
    [`${prefix}_REQUESTS_PER_MINUTE`]: UNLIMITED_PER_MINUTE,
    [`${prefix}_TOKENS_PER_MINUTE`]: UNLIMITED_PER_MINUTE,
    ...describeBudgets(),
  };
  return { name, isRemote: true, isStreamed, describeWorker: () => ({ model: { kind: 'configured' }, env }) };
}

function describeBudgets(): Readonly<Record<string, string>> {
  return {
    MEMORY_LLM_DAILY_BUDGET_USD: BUDGET_USD,
    MEMORY_LLM_TENANT_DAILY_BUDGET_USD: BUDGET_USD,
    MEMORY_LLM_CLAUDE_DAILY_BUDGET_USD: BUDGET_USD,
    MEMORY_LLM_OPENAI_DAILY_BUDGET_USD: BUDGET_USD,
  };
}
