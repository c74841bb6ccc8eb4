import type { FakeModels, Variables } from '@annals/testing';

/** Variables for Claude with OpenAI as fallback, both at the fake models, without limits except those in `extra`. */
export function chooseFakeModels(
  fake: Pick<FakeModels, 'anthropicUrl' | 'openaiUrl'>,
  extra: Variables = {},
): Variables {
  return {
    MEMORY_LLM_PRIMARY: 'claude',
    MEMORY_LLM_FALLBACKS: 'openai',
    MEMORY_LLM_CLAUDE_API_KEY: 'key-of-a-fake-claude',
    MEMORY_LLM_CLAUDE_BASE_URL: fake.anthropicUrl,
    MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: '0',
    MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: '0',
    MEMORY_LLM_OPENAI_API_KEY: 'key-of-a-fake-openai',
    MEMORY_LLM_OPENAI_BASE_URL: fake.openaiUrl,
    MEMORY_LLM_OPENAI_REQUESTS_PER_MINUTE: '0',
    MEMORY_LLM_OPENAI_TOKENS_PER_MINUTE: '0',
    MEMORY_LLM_DAILY_BUDGET_USD: '10000',
    ANNALS_BATCH_WINDOW_MS: '0',
    ANNALS_LOG_LEVEL: 'info',
    ...extra,
  };
}
