import fc from 'fast-check';
import {
  ANTHROPIC_CACHE_MARK,
  type ChatAdditions,
  OPENAI_CACHE_MARK,
  spliceRequest,
  wantsBreakpoints,
} from './splice-request.js';

const NOTHING: ChatAdditions = { profile: null, memory: null, cacheMark: null, usage: false };
const tail = (text: string) => ({ text, placement: 'tail' }) as const;
const before = (text: string) => ({ text, placement: 'before' }) as const;

describe('spliceRequest', () => {
  it('changes no character where there is nothing to add', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((name) => name !== 'memory'),
          fc.jsonValue(),
        ),
        fc.nat(3),
        (body, indent) => {
          const text = JSON.stringify(body, null, indent);
          expect(spliceRequest(text, NOTHING)).toBe(text);
        },
      ),
    );
  });

  it('adds a message after any messages, and nothing else', () => {
    const messages = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(messages, fc.string(), fc.nat(3), (list, memory, indent) => {
        const text = JSON.stringify({ a: 1, messages: list, 'b,]}': '"' }, null, indent);
        const spliced = spliceRequest(text, { ...NOTHING, memory: tail(memory) });
        const { messages: sent, ...rest } = JSON.parse(spliced) as { messages: unknown[] };
        expect(rest).toEqual({ a: 1, 'b,]}': '"' });
        // As it was parsed: of -0, JSON has only 0.
        expect(sent.slice(0, -1)).toEqual((JSON.parse(text) as { messages: unknown[] }).messages);
        expect(sent.at(-1)).toEqual({ role: 'user', content: memory });
      }),
    );
  });

  it.each([
    ['{"messages":[],"model":"m"}', '{"messages":[],"model":"m"}'],
    ['{"messages":"none"}', '{"messages":"none"}'],
    ['{}', '{}'],
  ])('adds nothing where there is no message: %s', (text, expected) => {
    expect(spliceRequest(text, { ...NOTHING, memory: tail('M'), profile: 'P' })).toBe(expected);
  });

  it.each([
    ['{"memory":{},"a":1}', '{"a":1}'],
    ['{"a":1,"memory":{"x":[{}]}}', '{"a":1}'],
    ['{"a":1 , "memory" : true , "b":2}', '{"a":1 , "b":2}'],
    ['{"memory":1}', '{}'],
    ['{"memory":1,"memory":2,"a":1}', '{"a":1}'],
    ['{"a":{"memory":1}}', '{"a":{"memory":1}}'],
  ])('takes out the member memory: %s', (text, expected) => {
    expect(spliceRequest(text, NOTHING)).toBe(expected);
  });

  it.each([
    ['a text', '{"messages":[{"role":"user","content":"Hi"}]}', '{"messages":[{"role":"user","content":"M\\nHi"}]}'],
    [
      'parts',
      '{"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}',
      '{"messages":[{"role":"user","content":[{"type":"text","text":"M\\n"},{"type":"text","text":"Hi"}]}]}',
    ],
    [
      'no parts',
      '{"messages":[{"role":"user","content":[]}]}',
      '{"messages":[{"role":"user","content":[{"type":"text","text":"M\\n"}]}]}',
    ],
    [
      'the last message of the user',
      '{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"},{"role":"tool","content":"c"}]}',
      '{"messages":[{"role":"user","content":"a"},{"role":"user","content":"M\\nb"},{"role":"tool","content":"c"}]}',
    ],
    ['nobody', '{"messages":[{"role":"tool","content":"c"}]}', '{"messages":[{"role":"tool","content":"c"}]}'],
  ])('puts memories before %s', (_what, text, expected) => {
    expect(spliceRequest(text, { ...NOTHING, memory: before('M\n'), cacheMark: OPENAI_CACHE_MARK })).toBe(expected);
  });

  const markedBy = (text: string, cacheMark = OPENAI_CACHE_MARK) =>
    spliceRequest(text, { ...NOTHING, memory: tail('M'), cacheMark });
  const BREAKPOINT = '"prompt_cache_breakpoint":{"mode":"explicit"}';

  it('marks the end of what the client sent, before memories', () => {
    expect(markedBy('{"messages":[{"role":"user","content":"Hi"}]}')).toBe(
      `{"messages":[{"role":"user","content":[{"type":"text","text":"Hi",${BREAKPOINT}}]},{"role":"user","content":"M"}]}`,
    );
    expect(markedBy('{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}]}')).toBe(
      `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"},${BREAKPOINT}}]},{"role":"user","content":"M"}]}`,
    );
  });

  it.each([
    [
      'a client that marks its parts',
      `{"messages":[{"role":"user","content":[{"type":"text","text":"Hi",${BREAKPOINT}}]}]}`,
    ],
    [
      'a client that wants no cache',
      '{"prompt_cache_options":{"mode":"explicit"},"messages":[{"role":"user","content":"Hi"}]}',
    ],
    ['an empty text', '{"messages":[{"role":"user","content":" "}]}'],
    ['no content', '{"messages":[{"role":"user","content":null}]}'],
    ['no parts', '{"messages":[{"role":"user","content":[]}]}'],
    ['a result of a function', '{"messages":[{"role":"function","name":"f","content":"Hi"}]}'],
    ['a message that is none', '{"messages":["Hi"]}'],
  ])('marks nothing of %s', (_what, text) => {
    const spliced = markedBy(text);
    expect(spliced.split(BREAKPOINT)).toHaveLength(text.split(BREAKPOINT).length);
    expect(spliced).toContain('{"role":"user","content":"M"}');
  });

  it('marks besides a mark of the whole request, which would end after memories', () => {
    const text = '{"cache_control":{"type":"ephemeral"},"messages":[{"role":"user","content":"Hi"}]}';
    expect(markedBy(text, ANTHROPIC_CACHE_MARK)).toContain('"text":"Hi","cache_control":{"type":"ephemeral"}}');
    const tools = '{"tools":[{"cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"Hi"}]}';
    expect(markedBy(tools, ANTHROPIC_CACHE_MARK)).toContain('{"role":"user","content":"Hi"}');
  });

  it('puts a profile before everything', () => {
    const text = '{"messages":[{"role":"system","content":"S"}]}';
    expect(spliceRequest(text, { ...NOTHING, profile: 'P' })).toBe(
      '{"messages":[{"role":"system","content":"P"},{"role":"system","content":"S"}]}',
    );
  });

  it.each([
    ['{"a":1}', '{"a":1,"stream_options":{"include_usage":true}}'],
    ['{"a":1,"memory":{}}', '{"a":1,"stream_options":{"include_usage":true}}'],
    ['{"stream_options":{"x":1}}', '{"stream_options":{"x":1,"include_usage":true}}'],
    ['{"stream_options":{}}', '{"stream_options":{"include_usage":true}}'],
    ['{"stream_options":null}', '{"stream_options":{"include_usage":true}}'],
  ])('asks for usage: %s', (text, expected) => {
    expect(spliceRequest(text, { ...NOTHING, usage: true })).toBe(expected);
  });
});

describe('wantsBreakpoints', () => {
  it.each(['gpt-5.6-luna', 'gpt-6-luna', 'gpt-6.1-terra', 'openai/gpt-6-luna', 'gpt-10'])('is true of %s', (model) =>
    expect(wantsBreakpoints(model)).toBe(true),
  );
  it.each(['gpt-4o-mini', 'gpt-5.5', 'gpt-5', 'llama-6', 'my-gpt-6'])('is false of %s', (model) =>
    expect(wantsBreakpoints(model)).toBe(false),
  );
});
