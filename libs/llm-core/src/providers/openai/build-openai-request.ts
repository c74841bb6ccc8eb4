import type OpenAI from 'openai';
import type { StructuredOutputMode } from '../../provider/llm-provider.js';
import type { LLMRequest } from '../../provider/llm-request.js';
import { buildTurns } from '../remote/build-turns.js';
import type { OptionalParameter, RequestPlan } from '../remote/endpoint-capabilities.js';
import { findOpenAIModel } from './openai-models.js';

type ChatRequest = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

/** The model and whether the server is OpenAI's own. */
export interface OpenAITarget {
  model: string;
  isOfficial: boolean;
}

/** Names that servers use for structured output in error messages. */
export const OPENAI_MODE_PATTERN =
  /response_format|json_schema|json_object|structured.?output|guided|grammar|\bschema\b/i;

/** Optional parameters that can be omitted if a server rejects them, most specific name first. */
export function listOpenAIParameters({ model, isOfficial }: OpenAITarget): OptionalParameter[] {
  const cap = chooseCap(isOfficial);
  // One that is not sent is not what a server rejects.
  const isReasoning = findOpenAIModel(model).reasoningEffort !== undefined;
  return [
    { parameter: cap, names: cap === 'max_tokens' ? /\bmax_tokens\b/i : /max_completion_tokens/i },
    { parameter: 'stream_options', names: /stream_options|include_usage/i },
    // Before the effort: a server may name it as the reason for which it takes no temperature.
    { parameter: 'temperature', names: /\btemperature\b/i },
    ...(isReasoning ? [{ parameter: 'reasoning_effort', names: /\breasoning\b|reasoning_effort/i }] : []),
    ...(isOfficial ? [{ parameter: 'store', names: /\bstore\b/i }] : []),
  ];
}

/** The body of a Chat Completions call. `store: false`: the official API must not store user content. */
export function buildOpenAIRequest(
  { model, isOfficial }: OpenAITarget,
  request: LLMRequest,
  { mode, rejected }: RequestPlan,
): ChatRequest {
  const { prompt, maxOutputTokens, temperature } = request;
  const { reasoningEffort } = findOpenAIModel(model);
  const cap = chooseCap(isOfficial);
  const otherCap = chooseCap(!isOfficial);
  // A model that reasons refuses a temperature, so without an effort of `none` it gets none.
  const isReasoning = reasoningEffort !== undefined && rejected.has('reasoning_effort');
  const takesTemperature = !isReasoning && !rejected.has('temperature');
  return {
    model,
    messages: [{ role: 'system', content: prompt.system }, ...buildTurns(request, mode)],
    [rejected.has(cap) ? otherCap : cap]: maxOutputTokens,
    ...buildFormat(mode, request),
    ...(reasoningEffort && !rejected.has('reasoning_effort') ? { reasoning_effort: reasoningEffort } : {}),
    ...(isOfficial && !rejected.has('store') ? { store: false } : {}),
    ...(temperature !== undefined && takesTemperature ? { temperature } : {}),
  };
}

/** Compatible servers know the old name; some ignore the new one and would generate without a limit. */
function chooseCap(isOfficial: boolean): 'max_tokens' | 'max_completion_tokens' {
  return isOfficial ? 'max_completion_tokens' : 'max_tokens';
}

function buildFormat(mode: StructuredOutputMode, { prompt }: LLMRequest): Pick<ChatRequest, 'response_format'> {
  switch (mode) {
    case 'schema':
      return {
        response_format: {
          type: 'json_schema',
          json_schema: { name: prompt.schemaName, schema: { ...prompt.schema }, strict: true },
        },
      };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    default:
      return {};
  }
}
