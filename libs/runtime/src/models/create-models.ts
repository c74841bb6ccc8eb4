import { type Config, ConfigError, type ConfiguredModel } from '@annals/config';
import type { Clock } from '@annals/domain';
import {
  createEmbeddingProvider,
  createProvider,
  type EmbeddingProvider,
  type LLMProvider,
  loadPricingCatalog,
  type PricingCatalog,
  type ProviderConfig,
} from '@annals/llm-core';
import { LocalProvider } from '@annals/local-provider';
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
  const variable = model.provider === 'claude' ? 'MEMORY_LLM_CLAUDE_MODEL' : 'MEMORY_LLM_OPENAI_MODEL';
  const fix = 'add its price to the file named by MEMORY_LLM_PRICING_CATALOG';
  const other =
    model.provider === 'openai' && model.baseUrl !== undefined
      ? ', or set MEMORY_LLM_OPENAI_FREE=true if its server is free of charge'
      : '';
  throw new ConfigError([{ variable, message: `${variable} must name a model with a price: ${fix}${other}.` }]);
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
  const variable = 'ANNALS_EMBEDDINGS_MODEL';
  const fix = 'add its price to the file named by MEMORY_LLM_PRICING_CATALOG';
  throw new ConfigError([{ variable, message: `${variable} must name a model with a price: ${fix}.` }]);
}
