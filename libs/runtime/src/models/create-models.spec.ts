import { ConfigError, loadConfig } from '@annals/config';
import { ManualClock } from '@annals/domain';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbedder, createExtractionProviders } from './create-models.js';

const clock = new ManualClock(Date.UTC(2026, 10, 1));
const KEYS = { MEMORY_LLM_CLAUDE_API_KEY: 'sk-secret-1', MEMORY_LLM_OPENAI_API_KEY: 'sk-secret-2' };

function create(env: Record<string, string>) {
  return createExtractionProviders(loadConfig(['llm', 'pricing'], { ...KEYS, ...env }), clock);
}

function sentencesOf(env: Record<string, string>): string[] {
  try {
    create(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ message }) => message);
    throw error;
  }
}

describe('createExtractionProviders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'annals-prices-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const writeCatalog = (text: string): string => {
    const file = join(folder, `${text.length}.json`);
    writeFileSync(file, text);
    return file;
  };

  it('returns the primary and its fallbacks, in order', () => {
    const providers = create({ MEMORY_LLM_PRIMARY: 'openai', MEMORY_LLM_FALLBACKS: 'claude,local' });
    expect(providers.map(({ name, model }) => `${name} ${model}`)).toEqual([
      'openai gpt-6-luna',
      'claude claude-haiku-5-5',
      'local local-rules-4',
    ]);
  });

  it('accepts a model of a self-hosted server without a price when it is free of charge', () => {
    const [provider] = create({
      MEMORY_LLM_PRIMARY: 'openai',
      MEMORY_LLM_OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
      MEMORY_LLM_OPENAI_MODEL: 'llama-9',
      MEMORY_LLM_OPENAI_FREE: 'true',
    });
    expect(provider?.model).toBe('llama-9');
  });

  it.each([
    ['a model that has no price', { MEMORY_LLM_PRIMARY: 'claude', MEMORY_LLM_CLAUDE_MODEL: 'claude-unheard-of-9' }],
    [
      'a self-hosted server whose model has no price',
      {
        MEMORY_LLM_PRIMARY: 'openai',
        MEMORY_LLM_OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
        MEMORY_LLM_OPENAI_MODEL: 'llama-9',
      },
    ],
    ['a missing catalog', { MEMORY_LLM_PRICING_CATALOG: join(folder, 'nowhere.json') }],
  ])('rejects %s in one message that names the variable and no value', (_what, env: Record<string, string>) => {
    const sentences = sentencesOf(env);
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toMatch(/MEMORY_LLM_[A-Z_]+/);
    for (const value of [...Object.values(KEYS), folder, 'unheard-of', 'llama-9', '11434']) {
      expect(sentences[0]).not.toContain(value);
    }
  });

  it.each(['{ "version": ', '[]', '{ "version": "1", "entries": [{ "provider": "claude" }] }'])(
    'rejects the catalog %s in one message',
    (text) => {
      const [message, ...more] = sentencesOf({ MEMORY_LLM_PRICING_CATALOG: writeCatalog(text) });
      expect(more).toEqual([]);
      expect(message).toContain('MEMORY_LLM_PRICING_CATALOG');
    },
  );
});

describe('createEmbedder', () => {
  const embed = (env: Record<string, string>) =>
    createEmbedder(
      loadConfig(['embeddings', 'pricing'], {
        ANNALS_EMBEDDINGS: 'openai',
        ANNALS_EMBEDDINGS_API_KEY: 'sk-secret-3',
        ANNALS_EMBEDDINGS_DIMENSIONS: '256',
        ...env,
      }),
      clock,
    );
  const OFFICIAL = { ANNALS_EMBEDDINGS_BASE_URL: 'https://api.openai.com/v1' };

  it('accepts a model with a price, and any model of a self-hosted server', () => {
    expect(embed({ ...OFFICIAL, ANNALS_EMBEDDINGS_MODEL: 'text-embedding-3-small' }).estimateMaxCost(['words'])).toBe(
      1,
    );
    const own = embed({ ANNALS_EMBEDDINGS_BASE_URL: 'http://localhost:8080/v1', ANNALS_EMBEDDINGS_MODEL: 'bge-m3' });
    expect(own.estimateMaxCost(['words'])).toBe(0);
  });

  it('creates a model inside the process, free of charge and named by folder, pooling and dimensions', () => {
    const inside = embed({ ANNALS_EMBEDDINGS: 'onnx', ANNALS_EMBEDDINGS_MODEL_DIR: '/models/all-MiniLM-L6-v2' });
    expect(inside).toMatchObject({ name: 'onnx', model: 'all-MiniLM-L6-v2-mean-256', dimensions: 256 });
    expect(inside.estimateMaxCost(['words'])).toBe(0);
  });

  it('rejects a paid model without a known price, since its calls could exceed every budget', () => {
    const sentences = () => {
      try {
        embed({ ...OFFICIAL, ANNALS_EMBEDDINGS_MODEL: 'text-embedding-9' });
        return [];
      } catch (error) {
        return (error as ConfigError).problems.map(({ message }) => message);
      }
    };
    expect(sentences()).toEqual([
      'ANNALS_EMBEDDINGS_MODEL must name a model with a price: add its price to the file named by MEMORY_LLM_PRICING_CATALOG.',
    ]);
  });
});
