import {
  text,
  HI,
  MARK,
  SCHEMA,
  STRICT,
  WEATHER,
  TOOL,
  TOOLS,
  ofFields,
  type RequestShape,
} from './request-shape.fixture.js';

const OF_TOOLS: readonly RequestShape[] = [
  ofFields('a tool with a mark', { tools: [{ ...TOOLS[0], ...MARK }] }, { tools: [{ ...TOOL, ...MARK }] }),
  ofFields(
    'a strict tool',
    {
      tools: [
        {
          type: 'function',
          function: {
            ...WEATHER,
            strict: true,
            parameters: { ...STRICT, properties: { city: { type: 'string', minLength: 2 } } },
          },
        },
      ],
    },
    {
      tools: [
        {
          ...TOOL,
          strict: true,
          input_schema: { ...STRICT, properties: { city: { type: 'string', description: '{minLength: 2}' } } },
        },
      ],
    },
  ),
  ofFields(
    'a tool without parameters',
    { tools: [{ type: 'function', function: { name: 'now', strict: false } }] },
    { tools: [{ name: 'now', input_schema: { type: 'object', properties: {} } }] },
  ),
  ofFields(
    'a tool of the Messages API',
    { tools: [TOOL], tool_choice: { type: 'any', disable_parallel_tool_use: true } },
    { tools: [TOOL], tool_choice: { type: 'any', disable_parallel_tool_use: true } },
  ),
  ofFields('the choice auto', { tools: TOOLS, tool_choice: 'auto' }, { tools: [TOOL], tool_choice: { type: 'auto' } }),
  ofFields(
    'the choice none',
    { tools: TOOLS, tool_choice: 'none', parallel_tool_calls: false },
    { tools: [TOOL], tool_choice: { type: 'none' } },
  ),
  ofFields(
    'the choice required',
    { tools: TOOLS, tool_choice: 'required', parallel_tool_calls: true },
    { tools: [TOOL], tool_choice: { type: 'any' } },
  ),
  ofFields(
    'the choice of a function',
    { tools: TOOLS, tool_choice: { type: 'function', function: { name: 'weather' } }, parallel_tool_calls: false },
    {
      tools: [TOOL],
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    },
  ),
  ofFields(
    'the older choice of a function',
    { functions: [WEATHER], function_call: { name: 'weather' } },
    {
      tools: [TOOL],
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    },
  ),
  ofFields(
    'no parallel calls',
    { tools: TOOLS, parallel_tool_calls: false },
    { tools: [TOOL], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  ),
  ofFields('a choice without tools', { tools: [], tool_choice: 'auto', parallel_tool_calls: false }, {}),
];

const OF_OTHERS: readonly RequestShape[] = [
  ofFields('limits', { max_completion_tokens: 50, max_tokens: 70 }, { max_tokens: 50 }),
  ofFields('the older limit', { max_tokens: 70 }, { max_tokens: 70 }),
  ofFields('one stop sequence', { stop: 'END' }, { stop_sequences: ['END'] }),
  ofFields(
    'stop sequences of both APIs',
    { stop: ['A', 'B'], stop_sequences: ['C'] },
    { stop_sequences: ['C', 'A', 'B'] },
  ),
  ofFields(
    'a JSON schema',
    { response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema: SCHEMA } } },
    { output_config: { format: { type: 'json_schema', schema: STRICT } } },
  ),
  ofFields(
    'free JSON',
    { response_format: { type: 'json_object' } },
    { system: [text('Answer with one JSON object: no words before or after it, and no code fence.')] },
  ),
  ofFields('free text', { response_format: { type: 'text' } }, {}),
  ofFields('an effort', { reasoning_effort: 'high' }, { output_config: { effort: 'high' } }),
  ofFields(
    'no effort',
    { reasoning_effort: 'none' },
    { output_config: { effort: 'low' }, thinking: { type: 'disabled' } },
  ),
  ofFields('a minimal effort', { reasoning_effort: 'minimal' }, { output_config: { effort: 'low' } }),
  ofFields(
    'efforts of both APIs, and thinking',
    { reasoning_effort: 'none', output_config: { effort: 'max' }, thinking: { type: 'adaptive' } },
    { output_config: { effort: 'max' }, thinking: { type: 'adaptive' } },
  ),
  ofFields(
    'what the API rejects',
    {
      temperature: 0,
      top_p: 1,
      seed: 7,
      presence_penalty: 0,
      frequency_penalty: 0,
      logit_bias: {},
      user: 'anna',
      safety_identifier: 'a',
      verbosity: 'low',
      prompt_cache_key: 'k',
      store: true,
    },
    {},
    [
      'temperature',
      'top_p',
      'seed',
      'presence_penalty',
      'frequency_penalty',
      'logit_bias',
      'user',
      'safety_identifier',
      'verbosity',
      'prompt_cache_key',
      'store',
    ],
  ),
  ofFields(
    'fields that say nothing',
    {
      temperature: null,
      n: 1,
      logprobs: false,
      top_logprobs: 0,
      modalities: ['text'],
      audio: null,
      store: false,
      stop: null,
      tools: null,
      response_format: null,
      metadata: null,
    },
    {},
  ),
  ofFields('labels of the client', { metadata: { team: 'a' }, service_tier: 'flex' }, {}, ['service_tier', 'metadata']),
  ofFields(
    'fields of the Messages API',
    {
      metadata: { user_id: 'a' },
      service_tier: 'standard_only',
      speed: 'standard',
      cache_control: { type: 'ephemeral' },
    },
    {
      metadata: { user_id: 'a' },
      service_tier: 'standard_only',
      speed: 'standard',
      cache_control: { type: 'ephemeral' },
    },
  ),
  ofFields('the usual tier', { service_tier: 'default' }, { service_tier: 'standard_only' }),
  ofFields('the tier with priority', { service_tier: 'priority' }, { service_tier: 'auto' }),
  ofFields(
    'system blocks of the Messages API',
    { system: 'Own.', messages: [{ role: 'system', content: 'A.' }, HI] },
    { system: [text('Own.'), text('A.')] },
  ),
  ofFields(
    'a stream',
    { stream: true, stream_options: { include_usage: true, include_obfuscation: true } },
    { stream: true },
    ['stream_options.include_obfuscation'],
  ),
];

export const FIELD_SHAPES: readonly RequestShape[] = [...OF_TOOLS, ...OF_OTHERS];
