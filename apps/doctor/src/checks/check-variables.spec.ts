import { type Environment, listAllVariables } from '@annals/config';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadSettings } from '../load-settings.js';
import { inspectVariables } from './check-variables.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const inspect = (env: Environment) => inspectVariables(env, loadSettings('embedded', env).config);

describe('inspectVariables', () => {
  it.each([
    ['ANNALS_BATCH_WINDOWS_MS', 'Name it ANNALS_BATCH_WINDOW_MS, or unset it.'],
    ['ANNALS_HTTP_PROT', 'Name it ANNALS_HTTP_PORT, or unset it.'],
    ['MEMORY_LLM_DAILY_BUGDET_USD', 'Name it MEMORY_LLM_DAILY_BUDGET_USD, or unset it.'],
    ['MEMORY_LLM_GEMINI_API_KEY', 'docs/configuration.md has the names: correct or unset it.'],
  ])('names %s, which nothing reads', (name, advice) => {
    expect(inspect({ [name]: 'hush' })).toEqual([
      {
        check: 'configuration.names',
        verdict: 'warn',
        found: `${name} is no variable of Annals and has no effect.`,
        advice,
      },
    ]);
  });

  it('knows the variables of Docker Compose, of Kubernetes and of other programs', () => {
    const files = ['docker-compose.yml', '.env.example'].map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
    const names = files.join('\n').match(/\b(?:ANNALS|MEMORY_LLM)_[A-Z0-9_]*[A-Z0-9]\b/g)!;
    expect(new Set(names).size).toBeGreaterThan(50);
    const unknown = [...new Set(names)].filter((name) => !listAllVariables().includes(name));
    expect(unknown).toContain('ANNALS_VERSION');
    const links = ['ANNALS_GATEWAY_SERVICE_HOST', 'ANNALS_GATEWAY_PORT_8080_TCP', 'PATH', 'ANNALS_HTTP_PROT'];
    const found = inspect(Object.fromEntries([...unknown, ...links].map((name) => [name, 'x'])));
    expect(found.map((finding) => finding.found.split(' ', 1)[0])).toEqual(['ANNALS_HTTP_PROT']);
  });

  it.each<[string, Environment]>([
    ['MEMORY_LLM_CLAUDE_API_KEY', { MEMORY_LLM_PRIMARY: 'claude' }],
    ['MEMORY_LLM_CLAUDE_DAILY_BUDGET_USD', { MEMORY_LLM_PRIMARY: 'claude', MEMORY_LLM_CLAUDE_API_KEY: 'key' }],
    ['MEMORY_LLM_OPENAI_API_KEY', { MEMORY_LLM_FALLBACKS: 'openai' }],
    ['MEMORY_LLM_OPENAI_DAILY_BUDGET_USD', { MEMORY_LLM_FALLBACKS: 'openai', MEMORY_LLM_OPENAI_API_KEY: 'key' }],
    ['ANNALS_EMBEDDINGS_DIMENSIONS', { ANNALS_EMBEDDINGS: 'onnx', ANNALS_EMBEDDINGS_MODEL_DIR: '/models/tiny' }],
    ['ANNALS_EMBEDDINGS_MODEL_DIR', { ANNALS_EMBEDDINGS: 'onnx', ANNALS_EMBEDDINGS_DIMENSIONS: '3' }],
    ['ANNALS_RERANK_MODEL_DIR', { ANNALS_RERANK: 'onnx' }],
    ['ANNALS_METRICS_HOST', { ANNALS_METRICS_PORT: '0' }],
  ])('warns of %s unless the setting that it belongs to is made', (name, setting) => {
    const value = { [name]: '1' };
    expect(inspect({ ...setting, ...value })).toEqual([]);
    expect(inspect(value)).toEqual([
      expect.objectContaining({
        check: 'configuration.idle',
        found: expect.stringMatching(`^${name} has no effect: `),
      }),
    ]);
  });

  it('warns of every variable of a reranker and of an embedding server that are not in use', () => {
    const of = (prefix: string, names: string[]) => names.map((name) => [`ANNALS_${prefix}_${name}`, '1']);
    const env = Object.fromEntries([
      ...of('EMBEDDINGS', ['API_KEY', 'MODEL']),
      ...of('RERANK', ['API_KEY', 'MODEL', 'USD_PER_REQUEST']),
    ]) as Environment;
    expect(inspect(env).map(({ check }) => check)).toEqual(Array.from({ length: 5 }, () => 'configuration.idle'));
  });

  it('warns of a data folder that depends on where a process starts', () => {
    expect(inspect({ ANNALS_DATA_DIR: 'data', ANNALS_DELETIONS_FILE: '/mnt/list.ndjson' })).toMatchObject([
      { check: 'configuration.paths', found: expect.stringMatching('^ANNALS_DATA_DIR is relative') },
    ]);
    expect(inspect({ ANNALS_DATA_DIR: '/data' })).toEqual([]);
  });
});
