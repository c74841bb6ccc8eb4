import type { JsonObject } from '../../parsing/json-tree.js';
import { ChatRequestError } from './chat-request-error.js';
import { FIELD_SHAPES } from './field-shapes.fixture.js';
import { LOOP_SHAPES, THINKING_SHAPE } from './loop-shapes.fixture.js';
import { MESSAGE_SHAPES } from './message-shapes.fixture.js';
import { translateRequest } from './translate-request.js';

const HI = { role: 'user', content: 'Hi.' };
const MODEL = { model: 'claude-haiku-5-5' };
const translate = (request: JsonObject) => translateRequest({ ...MODEL, messages: [HI], ...request });
const part = (content: JsonObject) => ({ messages: [{ role: 'user', content: [content] }] });
const call = (fields: JsonObject) => ({ messages: [HI, { role: 'assistant', tool_calls: [fields] }] });
const fn = (text: string) => call({ id: 'a', type: 'function', function: { name: 'f', arguments: text } });

describe('translateRequest', () => {
  it.each(
    [...MESSAGE_SHAPES, ...LOOP_SHAPES, ...FIELD_SHAPES, THINKING_SHAPE].map((shape) => [shape.name, shape] as const),
  )('translates %s', (_, { request, body, ignored }) => {
    const translated = translateRequest({ ...MODEL, ...request });
    expect(translated.body).toEqual({ ...MODEL, max_tokens: 128_000, ...body });
    expect(translated.ignored).toEqual(ignored ?? []);
  });

  it('puts together thinking that a client collected in pieces', () => {
    const pieces = [
      { index: 0, type: 'thinking', thinking: 'Two ' },
      { index: 0, type: 'thinking', thinking: 'cities.', signature: null },
      { index: 0, type: 'thinking', thinking: '', signature: 'sig-1' },
      { index: 1, type: 'thinking', thinking: 'Rome.', signature: 'sig-2' },
    ];
    const { body, ignored } = translate({
      messages: [HI, { role: 'assistant', content: 'A.', thinking_blocks: pieces }, HI],
    });
    expect((body.messages as { content: JsonObject[] }[])[1]!.content).toEqual([
      { type: 'thinking', thinking: 'Two cities.', signature: 'sig-1' },
      { type: 'thinking', thinking: 'Rome.', signature: 'sig-2' },
      { type: 'text', text: 'A.' },
    ]);
    expect(ignored).toEqual([]);
  });

  it('passes fields that it does not know on', () => {
    expect(translate({ top_k: 5, of_tomorrow: { a: [1] } }).body).toMatchObject({ top_k: 5, of_tomorrow: { a: [1] } });
  });

  it.each([
    ['claude-sonnet-5-5', { thinking: { type: 'between_tools' }, output_config: { effort: 'low' } }, []],
    ['claude-opus-5-5', { output_config: { effort: 'low' } }, []],
    ['claude-haiku-4-5', {}, []],
  ])('asks %s for the least thinking that it allows', (model, expected, ignored) => {
    const { body, ignored: told } = translate({ model, reasoning_effort: 'none' });
    expect({ thinking: body.thinking, output_config: body.output_config }).toEqual({
      thinking: undefined,
      output_config: undefined,
      ...expected,
    });
    expect(told).toEqual(ignored);
  });

  it('tells that an older model knows no effort', () => {
    expect(translate({ model: 'claude-haiku-4-5', reasoning_effort: 'high' }).ignored).toEqual(['reasoning_effort']);
  });

  it.each([
    [{ model: 'claude-haiku-4-5' }, {}, 64_000],
    [{}, { defaultMaxTokens: 4_096 }, 4_096],
    [{ model: 'claude-haiku-4-5' }, { defaultMaxTokens: 128_000 }, 64_000],
    [{ max_tokens: 10 }, { defaultMaxTokens: 4_096 }, 10],
  ])('limits the answer to %o with %o', (request, options, expected) => {
    const { body } = translateRequest({ ...MODEL, messages: [HI], ...request }, options);
    expect(body.max_tokens).toBe(expected);
  });

  it.each([
    [
      { stream: true, stream_options: { include_usage: true } },
      { isStreamed: true, hasUsage: true },
    ],
    [{ stream: true }, { isStreamed: true }],
    [{ functions: [{ name: 'f' }] }, { usesFunctions: true }],
    [{}, {}],
  ])('reads from %o in which form to answer', (request, expected) => {
    const { form } = translate(request);
    expect(form).toEqual({ isStreamed: false, hasUsage: false, usesFunctions: false, ...expected });
  });

  it.each<[JsonObject, string, ChatRequestError['code']]>([
    [{ n: 2 }, 'n', 'unsupported_parameter'],
    [{ logprobs: true }, 'logprobs', 'unsupported_parameter'],
    [{ top_logprobs: 3 }, 'top_logprobs', 'unsupported_parameter'],
    [{ modalities: ['text', 'audio'] }, 'modalities', 'unsupported_parameter'],
    [{ audio: { voice: 'a' } }, 'audio', 'unsupported_parameter'],
    [{ web_search_options: { a: 1 } }, 'web_search_options', 'unsupported_parameter'],
    [part({ type: 'input_audio', input_audio: {} }), 'messages[0].content[0]', 'unsupported_parameter'],
    [{ tools: [{ type: 'custom', custom: { name: 'a' } }] }, 'tools[0]', 'unsupported_parameter'],
    [
      { tools: [{ function: { name: 'a' } }], tool_choice: { type: 'allowed_tools' } },
      'tool_choice',
      'unsupported_parameter',
    ],
    [call({ id: 'a', type: 'custom', custom: {} }), 'messages[1].tool_calls[0]', 'unsupported_parameter'],
    [{ messages: [HI, { role: 'assistant', audio: { id: 'a' } }] }, 'messages[1].audio', 'unsupported_parameter'],
    [
      { messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://a.b' } }] }] },
      'messages[0].content',
      'unsupported_parameter',
    ],
    [fn('{"a":'), 'messages[1].tool_calls[0].function.arguments', 'invalid_value'],
    [fn('[1]'), 'messages[1].tool_calls[0].function.arguments', 'invalid_value'],
    [call({ function: { name: 'f' } }), 'messages[1].tool_calls[0].id', 'missing_required_parameter'],
    [call({ id: 'a', function: {} }), 'messages[1].tool_calls[0].function.name', 'missing_required_parameter'],
    [{ messages: [HI, { role: 'tool', content: 'a' }] }, 'messages[1].tool_call_id', 'missing_required_parameter'],
    [{ messages: [HI, { role: 'function', content: 'a' }] }, 'messages[1]', 'invalid_value'],
    [{ messages: [{ role: 'robot', content: 'a' }] }, 'messages[0].role', 'invalid_value'],
    [{ messages: ['Hi.'] }, 'messages[0]', 'invalid_value'],
    [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content', 'invalid_value'],
    [{ messages: [] }, 'messages', 'missing_required_parameter'],
    [{ model: '' }, 'model', 'missing_required_parameter'],
    [
      part({ type: 'image_url', image_url: { url: 'ftp://a' } }),
      'messages[0].content[0].image_url.url',
      'invalid_value',
    ],
    [
      part({ type: 'image_url', image_url: { url: 'data:image/png,a' } }),
      'messages[0].content[0].image_url.url',
      'invalid_value',
    ],
    [
      part({ type: 'image_url', image_url: { url: 'data:image/tiff;base64,YQ==' } }),
      'messages[0].content[0].image_url.url',
      'invalid_value',
    ],
    [part({ type: 'image_url' }), 'messages[0].content[0].image_url.url', 'missing_required_parameter'],
    [part({ type: 'file', file: {} }), 'messages[0].content[0].file.file_data', 'missing_required_parameter'],
    [
      part({ type: 'file', file: { file_data: 'data:audio/wav;base64,YQ==' } }),
      'messages[0].content[0].file.file_data',
      'invalid_value',
    ],
    [{ response_format: { type: 'xml' } }, 'response_format.type', 'invalid_value'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
      'response_format.json_schema.schema',
      'missing_required_parameter',
    ],
    [
      { response_format: { type: 'json_schema', json_schema: { schema: { type: 'array' } } } },
      'response_format.json_schema.schema',
      'invalid_value',
    ],
    [
      { tools: [{ function: { name: 'a', strict: true, parameters: { properties: { b: {} } } } }] },
      'tools[0].function.parameters',
      'invalid_value',
    ],
    [{ reasoning_effort: 'huge' }, 'reasoning_effort', 'invalid_value'],
    [{ stream: true, stream_options: true }, 'stream_options', 'invalid_value'],
  ])('rejects %j and names the field', (request, param, code) => {
    let caught: unknown;
    try {
      translate(request);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ChatRequestError);
    expect(caught).toMatchObject({ param, code });
    expect((caught as Error).message).toContain(param.split('.')[0]!.replace('modalities', 'audio'));
  });

  it('begins a longer conversation with the bytes of the shorter one', () => {
    const marked = { type: 'text', text: 'Weather?', cache_control: { type: 'ephemeral' } };
    const first = [
      { role: 'system', content: 'A.' },
      HI,
      { role: 'system', content: 'B.' },
      { role: 'user', content: [marked] },
    ];
    const later = [...first, { role: 'assistant', content: 'Sun.' }, { role: 'system', content: 'C.' }, HI];
    const flatten = (messages: readonly JsonObject[]): string[] => {
      const { body } = translate({ messages: [...messages, { role: 'user', content: 'Memories.' }] });
      return (body.messages as { role: string; content: JsonObject[] }[]).flatMap(({ role, content }) =>
        content.map((block) => JSON.stringify([role, block])),
      );
    };
    const before = flatten(first).slice(0, -1);
    expect(before).toHaveLength(3);
    expect(flatten(later).slice(0, before.length)).toEqual(before);
  });
});
