import { CLAUDE_MODE_PATTERN, listClaudeParameters } from '../claude/build-claude-request.js';
import { OPENAI_MODE_PATTERN, listOpenAIParameters } from '../openai/build-openai-request.js';
import { parseRejection, type RequestPlan } from './endpoint-capabilities.js';

const PLAN: RequestPlan = { mode: 'schema', rejected: new Set() };
const COMPATIBLE = listOpenAIParameters({ model: 'gpt-6-mini', isOfficial: false });
const OFFICIAL = listOpenAIParameters({ model: 'm', isOfficial: true });

describe('parseRejection', () => {
  // Error messages of OpenAI, vLLM, llama.cpp, LM Studio and FastAPI servers.
  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
    ],
    [
      '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}',
      'stream_options',
    ],
    ["Unsupported value: 'reasoning_effort' does not support 'none' with this model.", 'reasoning_effort'],
    ["'response_format.type' must be 'json_schema' or 'text'", 'mode'],
    ["Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", 'mode'],
    ['Failed to parse grammar', 'mode'],
    ['guided decoding is not supported by this backend', 'mode'],
    ["Invalid schema for response_format 'memory': unknown keyword", 'mode'],
    ['This model does not exist', undefined],
    ["'max_tokens' is too large: 9000. This model's maximum context length is 8192 tokens", undefined],
    ['max_tokens must be at most 2048', undefined],
    ['The conversation quotes response_format and store', undefined],
  ])('parses an error of a compatible server: %s', (message, expected) => {
    const rejection = parseRejection({ status: 400, message }, PLAN, COMPATIBLE, OPENAI_MODE_PATTERN);
    expect(rejection?.kind === 'parameter' ? rejection.parameter : rejection?.kind).toBe(expected);
  });

  it.each([
    ["Unsupported parameter: 'max_completion_tokens'", 'max_completion_tokens'],
    ['Unrecognized request argument supplied: store', 'store'],
  ])('parses an error of a gateway before the official API: %s', (message, parameter) => {
    const rejection = parseRejection({ status: 400, message }, PLAN, OFFICIAL, OPENAI_MODE_PATTERN);
    expect(rejection).toEqual({ kind: 'parameter', parameter });
  });

  it.each([
    "Unsupported value: 'reasoning_effort' does not support 'none' with this model.",
    'Unrecognized request argument supplied: store',
  ])('ignores a parameter that is not sent to a compatible server with another model: %s', (message) => {
    const parameters = listOpenAIParameters({ model: 'm', isOfficial: false });
    expect(parseRejection({ status: 400, message }, PLAN, parameters, OPENAI_MODE_PATTERN)).toBeUndefined();
  });

  it.each([
    ['output_config.effort: Extra inputs are not permitted', PLAN, 'effort'],
    ['output_config: Extra inputs are not permitted', PLAN, 'mode'],
    ['output_config: Extra inputs are not permitted', { ...PLAN, mode: 'text' }, 'effort'],
    ['output_config.format.schema: unsupported keyword', PLAN, 'mode'],
    ['thinking.type: disabled is not supported', PLAN, 'thinking'],
    ['thinking.type: disabled is not supported', { ...PLAN, rejected: new Set(['thinking']) }, undefined],
    ['system.0.cache_control: Extra inputs are not permitted', PLAN, 'cache_control'],
    ['messages: text content blocks must be non-empty', PLAN, undefined],
  ] as [string, RequestPlan, string | undefined][])(
    'parses an error of a Claude server: %s',
    (message, plan, expected) => {
      const rejection = parseRejection({ status: 400, message }, plan, listClaudeParameters(plan), CLAUDE_MODE_PATTERN);
      expect(rejection?.kind === 'parameter' ? rejection.parameter : rejection?.kind).toBe(expected);
    },
  );

  it.each([401, 403, 429, 500, undefined])('ignores status %s', (status) => {
    const message = 'response_format is not supported';
    expect(parseRejection({ status, message }, PLAN, COMPATIBLE, OPENAI_MODE_PATTERN)).toBeUndefined();
  });

  it.each([400, 404, 422])('parses errors with status %s', (status) => {
    const message = 'response_format is not supported';
    expect(parseRejection({ status, message }, PLAN, COMPATIBLE, OPENAI_MODE_PATTERN)).toEqual({ kind: 'mode' });
  });
});
