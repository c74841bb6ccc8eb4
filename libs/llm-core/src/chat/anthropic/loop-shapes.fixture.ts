import type { JsonObject } from '../../parsing/json-tree.js';
import {
  text,
  HI,
  HI_TURN,
  MARK,
  WEATHER,
  TOOL,
  TOOLS,
  call,
  use,
  ofMessages,
  type RequestShape,
} from './request-shape.fixture.js';

const CALLS = { role: 'assistant', content: null, tool_calls: [call('call_1', 'Rome'), call('call_2', 'Oslo')] };
const result = (id: string, content: unknown, fields: JsonObject = {}) => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...fields,
});
const answered = (id: string, words: string, fields: JsonObject = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [text(words)],
  ...fields,
});
const THINKING = { type: 'thinking', thinking: 'Two cities.', signature: 'sig-1' };
const withTools = { request: { tools: TOOLS }, body: { tools: [TOOL] } };

export const LOOP_SHAPES: readonly RequestShape[] = [
  ofMessages(
    'parallel calls and their results',
    [HI, CALLS, result('call_1', '20 °C'), result('call_2', [text('2 °C')]), { role: 'user', content: 'So?' }],
    [
      HI_TURN,
      { role: 'assistant', content: [use('call_1', 'Rome'), use('call_2', 'Oslo')] },
      { role: 'user', content: [answered('call_1', '20 °C'), answered('call_2', '2 °C'), text('So?')] },
    ],
    withTools,
  ),
  ofMessages(
    'a message between a call and its result',
    [
      HI,
      { ...CALLS, content: 'I look.', tool_calls: [call('call_1', 'Rome')] },
      { role: 'user', content: 'Quick!' },
      result('call_1', '20 °C'),
    ],
    [
      HI_TURN,
      { role: 'assistant', content: [text('I look.'), use('call_1', 'Rome')] },
      { role: 'user', content: [answered('call_1', '20 °C'), text('Quick!')] },
    ],
    withTools,
  ),
  ofMessages(
    'marks on results and their parts',
    [HI, CALLS, result('call_1', [text('20 °C', MARK)]), result('call_2', '2 °C', MARK)],
    [
      HI_TURN,
      { role: 'assistant', content: [use('call_1', 'Rome'), use('call_2', 'Oslo')] },
      { role: 'user', content: [answered('call_1', '20 °C', MARK), answered('call_2', '2 °C', MARK)] },
    ],
    withTools,
  ),
  ofMessages(
    'a mark on a message with calls',
    [HI, { ...CALLS, ...MARK }, result('call_1', 'a'), result('call_2', '', { is_error: true })],
    [
      HI_TURN,
      { role: 'assistant', content: [use('call_1', 'Rome'), { ...use('call_2', 'Oslo'), ...MARK }] },
      {
        role: 'user',
        content: [answered('call_1', 'a'), { type: 'tool_result', tool_use_id: 'call_2', is_error: true }],
      },
    ],
    withTools,
  ),
  ofMessages(
    'an image as a result',
    [
      HI,
      { role: 'assistant', tool_calls: [call('call_1', 'Rome')] },
      result('call_1', [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]),
    ],
    [
      HI_TURN,
      { role: 'assistant', content: [use('call_1', 'Rome')] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call_1',
            content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
          },
        ],
      },
    ],
    withTools,
  ),
  ofMessages(
    'ids of other servers, and calls without arguments',
    [
      HI,
      {
        role: 'assistant',
        tool_calls: [{ ...call('weather.get:0', ''), function: { name: 'weather', arguments: '' } }],
      },
      result('weather.get:0', 'a'),
    ],
    [
      HI_TURN,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'weather_get_0', name: 'weather', input: {} }] },
      { role: 'user', content: [answered('weather_get_0', 'a')] },
    ],
    withTools,
  ),
  ofMessages(
    'a reasoning text without a signature',
    [HI, { role: 'assistant', content: 'A.', reasoning_content: 'Hm.' }, HI],
    [HI_TURN, { role: 'assistant', content: [text('A.')] }, HI_TURN],
    { ignored: ['messages[].reasoning_content'] },
  ),
  ofMessages(
    'thinking that led to nothing',
    [
      HI,
      { role: 'assistant', content: null, thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'a' }] },
      HI,
    ],
    [{ role: 'user', content: [text('Hi.'), text('Hi.')] }],
    { ignored: ['messages[].thinking_blocks'] },
  ),
  ofMessages(
    'thinking without its signature',
    [HI, { role: 'assistant', content: 'A.', thinking_blocks: [{ type: 'thinking', thinking: 'Hm.' }] }, HI],
    [HI_TURN, { role: 'assistant', content: [text('A.')] }, HI_TURN],
    { ignored: ['messages[].thinking_blocks'] },
  ),
  ofMessages(
    'the older calls of functions',
    [
      HI,
      { role: 'assistant', content: null, function_call: call('', 'Rome').function },
      { role: 'function', name: 'weather', content: '20 °C' },
    ],
    [
      HI_TURN,
      { role: 'assistant', content: [use('function_call_1', 'Rome')] },
      { role: 'user', content: [answered('function_call_1', '20 °C')] },
    ],
    {
      request: { functions: [WEATHER], function_call: 'auto' },
      body: { tools: [TOOL], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    },
  ),
];

/** Not for the fake API, which knows the thinking that it gave out. */
export const THINKING_SHAPE: RequestShape = ofMessages(
  'thinking of earlier answers',
  [
    HI,
    {
      ...CALLS,
      content: 'I look.',
      reasoning_content: 'Two cities.',
      thinking_blocks: [THINKING, { type: 'redacted_thinking', data: 'abc' }],
      ...MARK,
    },
    result('call_1', 'a'),
    result('call_2', 'b'),
  ],
  [
    HI_TURN,
    {
      role: 'assistant',
      content: [
        THINKING,
        { type: 'redacted_thinking', data: 'abc' },
        text('I look.'),
        use('call_1', 'Rome'),
        { ...use('call_2', 'Oslo'), ...MARK },
      ],
    },
    { role: 'user', content: [answered('call_1', 'a'), answered('call_2', 'b')] },
  ],
  withTools,
);
