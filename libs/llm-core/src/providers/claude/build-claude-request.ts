import type { MessageCreateParamsNonStreaming, OutputConfig } from '@anthropic-ai/sdk/resources/messages';
import type { LLMRequest } from '../../provider/llm-request.js';
import { buildTurns } from '../remote/build-turns.js';
import type { OptionalParameter, RequestPlan } from '../remote/endpoint-capabilities.js';
import { findClaudeModel } from './claude-models.js';

/** Names that servers use for structured output in error messages. */
export const CLAUDE_MODE_PATTERN = /output_config|output_format|json_schema|structured.?output|\bschema\b/i;

/** Optional parameters that can be omitted if a server rejects them, most specific name first. */
export function listClaudeParameters({ mode }: RequestPlan): OptionalParameter[] {
  return [
    // Without a format, effort is the only member of output_config.
    { parameter: 'effort', names: mode === 'text' ? /\beffort\b|output_config/i : /\beffort\b/i },
    { parameter: 'thinking', names: /\bthinking\b/i },
    { parameter: 'cache_control', names: /cache_control/i },
  ];
}

/**
 * Builds the body of a Messages call. The temperature of a request is left out: the API rejects any
 * (docs/reference/model-calls.md#temperature).
 */
export function buildClaudeRequest(
  model: string,
  request: LLMRequest,
  { mode, rejected }: RequestPlan,
): MessageCreateParamsNonStreaming {
  const { prompt, maxOutputTokens } = request;
  const { thinking, effort } = findClaudeModel(model);
  const output: OutputConfig = {
    ...(mode === 'schema' ? { format: { type: 'json_schema', schema: { ...prompt.schema } } } : {}),
    ...(effort && !rejected.has('effort') ? { effort } : {}),
  };
  return {
    model,
    max_tokens: maxOutputTokens,
    system: [
      {
        type: 'text',
        text: prompt.system,
        ...(rejected.has('cache_control') ? {} : { cache_control: { type: 'ephemeral' } }),
      },
    ],
    messages: buildTurns(request, mode),
    ...(Object.keys(output).length > 0 ? { output_config: output } : {}),
    ...(thinking && !rejected.has('thinking') ? { thinking } : {}),
  };
}
