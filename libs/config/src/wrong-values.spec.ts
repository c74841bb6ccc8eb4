import { type FragmentName, FRAGMENTS } from './fragments.js';
import { ConfigError, type Environment, listAllVariables, loadConfig } from './load-config.js';

const ALL = Object.keys(FRAGMENTS) as FragmentName[];
const COMPLETE: Environment = {
  ANNALS_SECRET_KEY: 'k'.repeat(32),
  ANNALS_DATABASE_URL: 'postgres://annals_app:pw@db:5432/annals',
  ANNALS_ADMIN_DATABASE_URL: 'postgres://owner:pw@db:5432/annals',
  ANNALS_REDIS_URL: 'redis://redis:6379',
};
const KEYS = { MEMORY_LLM_CLAUDE_API_KEY: 'sk-claude', MEMORY_LLM_OPENAI_API_KEY: 'sk-openai' };

function messagesOf(env: Environment): string[] {
  try {
    loadConfig(ALL, { ...COMPLETE, ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ message }) => message);
    throw error;
  }
}

describe('a wrong value', () => {
  it.each(listAllVariables())('of %s is named in one sentence that says what to set', (variable) => {
    const garbage = '\u0007garbage';
    const messages = messagesOf({ [variable]: garbage });
    expect(messages).toEqual([expect.stringMatching(new RegExp(`^${variable} must be [^\\n]{4,}\\.$`))]);
    expect(messages[0]).not.toContain(garbage);
  });

  it.each(listAllVariables())('is not an empty %s, unless the variable is required', (variable) => {
    const missing = expect.stringMatching(new RegExp(`^${variable} is missing: set it to .+\\.$`));
    expect(messagesOf({ [variable]: '' })).toEqual(variable in COMPLETE ? [missing] : []);
  });

  it.each([
    ['ANNALS_DATABASE_URL', 'postgres://a,b/annals', 'postgres://a:5432/annals'],
    ['ANNALS_DATABASE_URL', 'postgres://a:1,b:2/annals', 'postgres://%2Frun%2Fpostgresql/annals'],
    ['ANNALS_DATABASE_URL', 'postgres://', 'postgres:///annals?host=/run/postgresql'],
    ['ANNALS_DATABASE_URL', 'postgres://app:50%off@db/annals', 'postgres://app:50%25off@db/annals'],
    ['ANNALS_DATABASE_URL', 'postgres://app:1#2@db/annals', 'postgres://app:1%232@db/annals'],
    ['ANNALS_DATABASE_URL', 'mysql://app:pw@db/annals', 'postgresql://app:pw@db/annals'],
    ['ANNALS_REDIS_URL', 'redis://', 'redis://redis'],
    ['ANNALS_REDIS_URL', 'redis://:50%off@redis', 'redis://:50%25off@redis'],
    ['ANNALS_REDIS_URL', 'redis://redis/queues', 'rediss://redis/2'],
    ['ANNALS_REDIS_URL', 'redis://one:6379,two:6379', 'redis://one:6379/'],
    ['ANNALS_REDACTION_DEFAULT_COUNTRY', 'UK', 'GB'],
    ['ANNALS_REDACTION_DEFAULT_COUNTRY', 'XX', 'DE'],
  ])('of %s is %s, and a right one is %s', (variable, wrong, right) => {
    expect(messagesOf({ [variable]: wrong })).toEqual([expect.stringMatching(new RegExp(`^${variable} must be `))]);
    expect(messagesOf({ [variable]: right })).toEqual([]);
  });
});

describe('values that contradict each other', () => {
  it.each<[string, Environment, string[]]>([
    [
      'a body larger than a minute’s bytes',
      { ANNALS_BODY_LIMIT_BYTES: '4096', ANNALS_RATE_LIMIT_BYTES_PER_MINUTE: '2048' },
      ['ANNALS_RATE_LIMIT_BYTES_PER_MINUTE must be at least ANNALS_BODY_LIMIT_BYTES, which is 4096.'],
    ],
    [
      'a provider without its key',
      { MEMORY_LLM_PRIMARY: 'claude' },
      ['MEMORY_LLM_CLAUDE_API_KEY is missing: MEMORY_LLM_PRIMARY names claude, which needs a key.'],
    ],
    [
      'a fallback to the primary',
      { ...KEYS, MEMORY_LLM_PRIMARY: 'openai', MEMORY_LLM_FALLBACKS: 'openai' },
      ['MEMORY_LLM_FALLBACKS must not name the provider that is MEMORY_LLM_PRIMARY.'],
    ],
    [
      'free calls to OpenAI',
      { ...KEYS, MEMORY_LLM_PRIMARY: 'openai', MEMORY_LLM_OPENAI_FREE: 'true' },
      [
        "MEMORY_LLM_OPENAI_FREE must be `false` without MEMORY_LLM_OPENAI_BASE_URL, since OpenAI's own API is not free.",
      ],
    ],
    [
      'a model in the process without its folder',
      { ANNALS_RERANK: 'onnx' },
      ['ANNALS_RERANK_MODEL_DIR is missing: ANNALS_RERANK=onnx needs it.'],
    ],
    [
      'a reranker that pays',
      {
        ANNALS_RERANK: 'http',
        ANNALS_RERANK_URL: 'http://rerank',
        ANNALS_RERANK_MODEL: 'tiny',
        ANNALS_RERANK_USD_PER_REQUEST: '-1',
      },
      ['ANNALS_RERANK_USD_PER_REQUEST must be 0 or more.'],
    ],
  ])('are refused: %s', (_what, env, messages) => {
    expect(messagesOf(env)).toEqual(messages);
  });
});
