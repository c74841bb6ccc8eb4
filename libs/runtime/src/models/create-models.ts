import { type Config, ConfigError, type ConfiguredModel } from '@annals/config';
import type { Clock } from '@annals/domain';
import {
  CachingEmbedder,
  createEmbeddingProvider,
  createProvider,
  type EmbeddingProvider,
  type LLMProvider,
  loadPricingCatalog,
  type PricingCatalog,
  type ProviderConfig,
} from '@annals/llm-core';
import { LocalProvider } from '@annals/local-provider';
import { type Database, loadCachedEmbeddings } from '@annals/storage';
import { readFileSync } from 'node:fs';

/** The prices in effect: the shipped ones and those of the configured file. @throws ConfigError */
export function createPricingCatalog({ pricing }: Config<'pricing'>): PricingCatalog {
  const { catalogFile } = pricing;
  return loadPricingCatalog(catalogFile === undefined ? undefined : readCatalogFile(catalogFile));
}

function readCatalogFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const variable = 'MEMORY_LLM_PRICING_CATALOG';
    throw new ConfigError([{ variable, message: `${variable} must name a file that this process can read.` }]);
  }
}

/**
 * The extraction models as configured: the primary, then its fallbacks.
 * @throws ConfigError when a model has no price, or the price file is invalid
 */
export function createExtractionProviders(config: Config<'llm' | 'pricing'>, clock: Clock): LLMProvider[] {
  const catalog = createPricingCatalog(config);
  return config.llm.chain.map((model) =>
    model.provider === 'local'
      ? new LocalProvider()
      : createProvider(toProviderConfig(model, config.llm.timeoutMs, catalog, clock)),
  );
}

type RemoteModel = Exclude<ConfiguredModel, { provider: 'local' }>;

function toProviderConfig(
  model: RemoteModel,
  timeoutMs: number,
  catalog: PricingCatalog,
  clock: Clock,
): ProviderConfig {
  requirePrice(model, catalog);
  const { apiKey, baseUrl } = model;
  const common = {
    apiKey,
    model: model.model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    timeoutMs,
    catalog,
    clock,
  };
  return model.provider === 'claude'
    ? { provider: 'claude', ...common }
    : { provider: 'openai', ...common, isFree: model.isFree };
}

/** A call without a known cost could exceed every budget. */
function requirePrice(model: RemoteModel, catalog: PricingCatalog): void {
  const isFree = model.provider === 'openai' && model.isFree;
  if (isFree || catalog.has(model)) return;
  if (model.provider === 'claude') throw unpriced('MEMORY_LLM_CLAUDE_MODEL');
  const isOwnServer = model.baseUrl !== undefined;
  throw unpriced(
    'MEMORY_LLM_OPENAI_MODEL',
    isOwnServer ? ', or set MEMORY_LLM_OPENAI_FREE=true if its server is free of charge' : '',
  );
}

function unpriced(variable: string, otherFix = ''): ConfigError {
  const fix = `add its price to the file named by MEMORY_LLM_PRICING_CATALOG${otherFix}`;
  return new ConfigError([{ variable, message: `${variable} must name a model with a price: ${fix}.` }]);
}

/** Timeout of one request to the embedding server, in ms; the job or the caller may abort sooner. */
const EMBEDDING_TIMEOUT_MS = 20_000;

/** The embedding provider as configured: the same for memories and for queries. @throws ConfigError */
export function createEmbedder(
  config: Config<'embeddings'> & Partial<Config<'pricing'>>,
  clock: Clock,
): EmbeddingProvider {
  const { embeddings, pricing } = config;
  if (embeddings.kind === 'hashed') return createEmbeddingProvider({ provider: 'hashed' });
  if (embeddings.kind === 'onnx') {
    const { kind, ...options } = embeddings;
    return createEmbeddingProvider({ provider: kind, ...options });
  }
  const { baseUrl, apiKey, model, dimensions } = embeddings;
  const catalog = pricing ? createPricingCatalog({ pricing }) : loadPricingCatalog();
  requireEmbeddingPrice({ baseUrl, model }, catalog);
  return createEmbeddingProvider({
    provider: 'openai',
    baseUrl,
    apiKey,
    model,
    dimensions,
    timeoutMs: EMBEDDING_TIMEOUT_MS,
    catalog,
    clock,
  });
}

/** A self-hosted server may be free of charge; OpenAI charges for every model. */
function requireEmbeddingPrice({ baseUrl, model }: { baseUrl: string; model: string }, catalog: PricingCatalog): void {
  if (new URL(baseUrl).hostname !== 'api.openai.com' || catalog.has({ provider: 'openai', model })) return;
  throw unpriced('ANNALS_EMBEDDINGS_MODEL');
}

/**
 * Embeds contents: known vectors come from memory (`cachedVectors` of them) and from the memories of the tenant, all
 * others are made in one call. Hashed vectors are computed faster than they are looked up, so they are not cached.
 */
export function createCachedEmbedder(
  provider: EmbeddingProvider,
  database: Pick<Database, 'readTenant'>,
  cachedVectors: number,
): CachingEmbedder {
  if (provider.name === 'hashed') return new CachingEmbedder({ provider, lruSize: 0 });
  const load = (tenantId: string, model: string, hashes: readonly string[]) =>
    database.readTenant(tenantId, (tx) =>
      loadCachedEmbeddings(
        tx,
        model,
        hashes.map((hash) => Buffer.from(hash, 'hex')),
      ),
    );
  return new CachingEmbedder({ provider, store: { load }, lruSize: cachedVectors });
}
