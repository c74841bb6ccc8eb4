import { defineFragment } from '../fragment.js';
import { flag, integer, oneOf, optional, secretText, url, withDefault } from '../variable.js';

const httpUrl = url('an http or https URL', ['http:', 'https:']);

const OPENAI_URL = 'https://api.openai.com/v1';

export const chat = defineFragment({
  title: 'Chat completions with memory',
  variables: {
    upstreamUrl: withDefault('ANNALS_CHAT_UPSTREAM_URL', httpUrl, OPENAI_URL, {
      description: 'Base URL, with `/v1`, of the OpenAI-compatible server that answers `/v1/chat/completions`.',
    }),
    upstreamKey: optional(
      'ANNALS_CHAT_UPSTREAM_KEY',
      secretText(1),
      'callers send a key of their own in `X-Annals-Upstream-Key`',
      { description: 'API key of that server. Calls with it are counted and limited by the budgets.', secret: true },
    ),
    upstreamFree: withDefault('ANNALS_CHAT_UPSTREAM_FREE', flag(), 'false', {
      description:
        'Whether calls to that server cost nothing, as to one of your own: then it needs no key, and its models need no price.',
    }),
    anthropicUrl: optional('ANNALS_CHAT_ANTHROPIC_URL', httpUrl, "Anthropic's own API", {
      description: 'Base URL of the Messages API that answers for models whose name begins with `claude`.',
    }),
    anthropicKey: optional(
      'ANNALS_CHAT_ANTHROPIC_KEY',
      secretText(1),
      'callers send a key of their own in `X-Annals-Upstream-Key`',
      { description: 'API key of Anthropic. Calls with it are counted and limited by the budgets.', secret: true },
    ),
    claudeUpstream: withDefault('ANNALS_CHAT_CLAUDE_UPSTREAM', oneOf(['anthropic', 'openai']), 'anthropic', {
      description:
        'Which upstream answers for models whose name begins with `claude`: Anthropic, or `openai` where the OpenAI-compatible server has them.',
    }),
    placement: withDefault('ANNALS_CHAT_PLACEMENT', oneOf(['tail', 'before']), 'tail', {
      description:
        'Where memories go: `tail` adds a message after the last one, which keeps the prompt cache of the provider; `before` puts them at the beginning of the last user message, for servers whose templates take no two user messages in a row.',
    }),
    streamUsage: withDefault('ANNALS_CHAT_STREAM_USAGE', oneOf(['as_sent', 'always']), 'as_sent', {
      description:
        'Whether usage is asked for in every stream on our key. `as_sent` leaves requests as they are: a stream whose client does not ask for usage is charged at its upper bound.',
    }),
    maxOutputTokens: withDefault('ANNALS_CHAT_MAX_OUTPUT_TOKENS', integer(1, 10_000_000), '128000', {
      description:
        'Longest answer that the models give to a request without `max_completion_tokens`. Its price is reserved in the budgets while the answer runs.',
      unit: 'tokens',
    }),
    timeoutMs: withDefault('ANNALS_CHAT_TIMEOUT_MS', integer(1_000, 3_600_000), '600000', {
      description: 'Maximum time of one completion, from the request to the end of its answer.',
      unit: 'ms',
    }),
    memoryTimeoutMs: withDefault('ANNALS_CHAT_MEMORY_TIMEOUT_MS', integer(50, 60_000), '1000', {
      description: 'Time after which a completion goes on without memories.',
      unit: 'ms',
    }),
    bodyBytes: withDefault('ANNALS_CHAT_BODY_LIMIT_BYTES', integer(1_024, 104_857_600), '20971520', {
      description: 'Maximum size of the body of a chat completion, which may contain images.',
      unit: 'bytes',
    }),
    maxOpen: withDefault('ANNALS_CHAT_MAX_OPEN', integer(1, 100_000), '1000', {
      description: 'Completions that one gateway process has open at once; more are rejected with 429.',
      unit: 'completions',
    }),
  },
  build: (values, addProblem) => {
    if (values.upstreamFree && values.upstreamUrl === OPENAI_URL)
      addProblem(
        'upstreamFree',
        "must be `false` without ANNALS_CHAT_UPSTREAM_URL, since OpenAI's own API is not free",
      );
    return values;
  },
});
