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
import { readFileSync } from 'node:fs';

/** The prices that hold: the shipped ones and those of the file the configuration names. @throws ConfigError */
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
 * The models that extract, as configured: the primary, then its fallbacks.
 * @throws ConfigError when a model has no price, or the file of prices is wrong
 */
export function createExtractionProviders(config: Config<'llm' | 'pricing'>, clock: Clock): LLMProvider[] {
  const catalog = createPricingCatalog(config);
  return config.llm.chain.map((model) => createProvider(toProviderConfig(model, config.llm.timeoutMs, catalog, clock)));
}

function toProviderConfig(
  model: ConfiguredModel,
  timeoutMs: number,
  catalog: PricingCatalog,
  clock: Clock,
): ProviderConfig {
  if (model.provider === 'local') return { provider: 'local' };
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

/** A call whose cost nobody knows could pass every budget. */
function requirePrice(model: Exclude<ConfiguredModel, { provider: 'local' }>, catalog: PricingCatalog): void {
  const isFree = model.provider === 'openai' && model.isFree;
  if (isFree || catalog.has(model)) return;
  const variable = model.provider === 'claude' ? 'MEMORY_LLM_CLAUDE_MODEL' : 'MEMORY_LLM_OPENAI_MODEL';
  const cure = 'add it to a file that MEMORY_LLM_PRICING_CATALOG names';
  const other =
    model.provider === 'openai' && model.baseUrl !== undefined
      ? ', or set MEMORY_LLM_OPENAI_FREE=true if its server charges nothing'
      : '';
  throw new ConfigError([{ variable, message: `${variable} must name a model with a price: ${cure}${other}.` }]);
}

/** For one request to the embedding server; the job or the caller may give up sooner. */
const EMBEDDING_TIMEOUT_MS = 20_000;

/** Where vectors come from, as configured: the same for what is written and what is asked. @throws ConfigError */
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

/** A server of one's own may charge nothing; OpenAI's charges for every model. */
function requireEmbeddingPrice({ baseUrl, model }: { baseUrl: string; model: string }, catalog: PricingCatalog): void {
  if (new URL(baseUrl).hostname !== 'api.openai.com' || catalog.has({ provider: 'openai', model })) return;
  const variable = 'ANNALS_EMBEDDINGS_MODEL';
  const cure = 'add it to a file that MEMORY_LLM_PRICING_CATALOG names';
  throw new ConfigError([{ variable, message: `${variable} must name a model with a price: ${cure}.` }]);
}
