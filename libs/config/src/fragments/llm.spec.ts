import { ConfigError, type Environment, loadConfig } from '../load-config.js';

const KEYS = { MEMORY_LLM_CLAUDE_API_KEY: 'sk-claude-1', MEMORY_LLM_OPENAI_API_KEY: 'sk-openai-1' };

function load(env: Environment) {
  return loadConfig(['llm'], env).llm;
}

function problemsOf(env: Environment): string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ message }) => message);
    throw error;
  }
}

describe('the provider chain', () => {
  it('is the local provider alone by default', () => {
    expect(load({})).toEqual({
      primary: 'local',
      chain: [{ provider: 'local' }],
      timeoutMs: 60_000,
      maxOutputTokens: 4_096,
      streaming: false,
    });
  });

  it('is the primary, then its fallbacks in order', () => {
    const { chain } = load({ ...KEYS, MEMORY_LLM_PRIMARY: 'claude', MEMORY_LLM_FALLBACKS: 'openai, local' });
    expect(chain).toEqual([
      {
        provider: 'claude',
        apiKey: 'sk-claude-1',
        model: 'claude-haiku-5-5',
        baseUrl: undefined,
        rates: { requestsPerMinute: 50, tokensPerMinute: 40_000 },
      },
      {
        provider: 'openai',
        apiKey: 'sk-openai-1',
        model: 'gpt-6-luna',
        baseUrl: undefined,
        isFree: false,
        rates: { requestsPerMinute: 500, tokensPerMinute: 90_000 },
      },
      { provider: 'local' },
    ]);
  });

  it('has no rate limit where the variable is 0', () => {
    const [claude] = load({
      ...KEYS,
      MEMORY_LLM_PRIMARY: 'claude',
      MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: '0',
      MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: '0',
    }).chain;
    expect(claude).toMatchObject({ rates: { requestsPerMinute: null, tokensPerMinute: null } });
  });

  it('needs no API key for a self-hosted server', () => {
    const [model] = load({
      MEMORY_LLM_PRIMARY: 'openai',
      MEMORY_LLM_OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
      MEMORY_LLM_OPENAI_FREE: 'true',
    }).chain;
    expect(model).toMatchObject({ apiKey: 'none', baseUrl: 'http://127.0.0.1:11434/v1', isFree: true });
  });

  it.each<[string, Environment, string]>([
    [
      'a primary without its key',
      { MEMORY_LLM_PRIMARY: 'claude' },
      'MEMORY_LLM_CLAUDE_API_KEY is missing: MEMORY_LLM_PRIMARY names claude, which needs a key.',
    ],
    [
      'a fallback without its key',
      { MEMORY_LLM_FALLBACKS: 'openai' },
      'MEMORY_LLM_OPENAI_API_KEY is missing: MEMORY_LLM_FALLBACKS names openai, which needs a key.',
    ],
    [
      'the primary as its own fallback',
      { ...KEYS, MEMORY_LLM_PRIMARY: 'claude', MEMORY_LLM_FALLBACKS: 'claude' },
      'MEMORY_LLM_FALLBACKS must not name the provider that is MEMORY_LLM_PRIMARY.',
    ],
    [
      'a fallback named twice',
      { ...KEYS, MEMORY_LLM_FALLBACKS: 'claude,openai,claude' },
      'MEMORY_LLM_FALLBACKS must be a list of `local`, `claude`, `openai`, separated by commas, without duplicates.',
    ],
    [
      'an unknown fallback',
      { MEMORY_LLM_FALLBACKS: 'gemini' },
      'MEMORY_LLM_FALLBACKS must be a list of `local`, `claude`, `openai`, separated by commas, without duplicates.',
    ],
    [
      'an unknown primary',
      { MEMORY_LLM_PRIMARY: 'gemini' },
      'MEMORY_LLM_PRIMARY must be one of `local`, `claude`, `openai`.',
    ],
    [
      'MEMORY_LLM_OPENAI_FREE for OpenAI itself',
      { ...KEYS, MEMORY_LLM_PRIMARY: 'openai', MEMORY_LLM_OPENAI_FREE: 'true' },
      "MEMORY_LLM_OPENAI_FREE must be `false` without MEMORY_LLM_OPENAI_BASE_URL, since OpenAI's own API is not free.",
    ],
  ])('rejects %s with one message', (_what, env, message) => {
    expect(problemsOf(env)).toEqual([message]);
  });
});
