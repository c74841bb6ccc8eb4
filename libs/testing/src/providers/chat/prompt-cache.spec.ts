import { readAnthropicBlocks, readBreakpointMode, readOpenAIBlocks } from './prompt-blocks.js';
import { BlockCache, type PromptBlock } from './prompt-cache.js';

/** A block of exactly `tokens` tokens, the line break after it included. */
function block(name: string, tokens: number, isMarked = false): PromptBlock {
  return { text: name.padEnd(tokens * 4 - 1, '.'), isMarked };
}

const marked = (name: string, tokens: number): PromptBlock => block(name, tokens, true);

describe('BlockCache of openai-prefix', () => {
  it('reads the common beginning in steps of 128 tokens, and nothing the first time', () => {
    const cache = new BlockCache('openai-prefix');
    expect(cache.request([block('system', 1_200), block('a', 50)])).toEqual({ readTokens: 0, writeTokens: 0 });
    expect(cache.request([block('system', 1_200), block('b', 50)])).toEqual({ readTokens: 1_152, writeTokens: 0 });
  });

  it('reads nothing of a beginning below 1,024 tokens', () => {
    const cache = new BlockCache('openai-prefix');
    cache.request([block('system', 1_023), block('a', 500)]);
    expect(cache.request([block('system', 1_023), block('b', 500)]).readTokens).toBe(0);
    cache.request([block('other', 1_024), block('a', 500)]);
    expect(cache.request([block('other', 1_024), block('b', 500)]).readTokens).toBe(1_024);
  });

  it('reads nothing after a change at the beginning', () => {
    const cache = new BlockCache('openai-prefix');
    cache.request([block('monday', 10), block('history', 5_000)]);
    expect(cache.request([block('sunday', 10), block('history', 5_000)]).readTokens).toBe(0);
  });

  it('counts tokens as it is told', () => {
    const cache = new BlockCache('openai-prefix', { countTokens: (text) => text.length });
    cache.request([block('system', 300)]);
    expect(cache.request([block('system', 300)]).readTokens).toBe(1_152);
  });
});

describe('BlockCache of openai-breakpoints', () => {
  it('reads what the newest message of an earlier request ended', () => {
    const cache = new BlockCache('openai-breakpoints');
    const first = [block('system', 1_000), block('question', 100)];
    expect(cache.request(first)).toEqual({ readTokens: 0, writeTokens: 1_100 });
    const second = [...first, block('answer', 40), block('next', 60)];
    expect(cache.request(second)).toEqual({ readTokens: 1_100, writeTokens: 100 });
  });

  it('reads nothing of a stable beginning before a changing end', () => {
    const cache = new BlockCache('openai-breakpoints');
    cache.request([block('system', 5_000), block('memory of today', 100)]);
    expect(cache.request([block('system', 5_000), block('memory of now', 100)])).toEqual({
      readTokens: 0,
      writeTokens: 5_100,
    });
  });

  it('reads a stable beginning before a changing end if a breakpoint separates them', () => {
    const cache = new BlockCache('openai-breakpoints');
    cache.request([marked('system', 5_000), block('memory of today', 100)]);
    expect(cache.request([marked('system', 5_000), block('memory of now', 100)])).toEqual({
      readTokens: 5_000,
      writeTokens: 100,
    });
  });

  it('keeps the last three explicit breakpoints besides the implicit one', () => {
    const cache = new BlockCache('openai-breakpoints');
    const four = ['a', 'b', 'c', 'd'].map((name) => marked(name, 1_100));
    cache.request([...four, block('end', 10)]);
    expect(cache.request([four[0]!, block('else', 10)]).readTokens).toBe(0);
    expect(cache.request([...four.slice(0, 2), block('else', 10)]).readTokens).toBe(2_200);
  });

  it('keeps four and no end in explicit mode, and uses no cache without breakpoints', () => {
    const cache = new BlockCache('openai-breakpoints');
    const four = ['a', 'b', 'c', 'd'].map((name) => marked(name, 1_100));
    expect(cache.request([...four, block('end', 10)], 'explicit').writeTokens).toBe(4_400);
    expect(cache.request([four[0]!, block('else', 10)], 'explicit').readTokens).toBe(1_100);
    const unmarked = four.map(({ text }) => ({ text, isMarked: false }));
    expect(cache.request(unmarked, 'explicit')).toEqual({ readTokens: 0, writeTokens: 0 });
  });

  it('looks at the last 80 blocks only', () => {
    const cache = new BlockCache('openai-breakpoints');
    const more = (count: number) => Array.from({ length: count }, (_, index) => block(`more ${index}`, 2));
    cache.request([block('system', 2_000)]);
    expect(cache.request([block('system', 2_000), ...more(80)]).readTokens).toBe(0);
    const other = new BlockCache('openai-breakpoints');
    other.request([block('system', 2_000)]);
    expect(other.request([block('system', 2_000), ...more(79)]).readTokens).toBe(2_000);
  });
});

describe('BlockCache of anthropic', () => {
  it('writes up to the last mark, and reads it later', () => {
    const cache = new BlockCache('anthropic');
    const blocks = [block('tool', 200), marked('system', 400), block('question', 100)];
    expect(cache.request(blocks)).toEqual({ readTokens: 0, writeTokens: 600 });
    expect(cache.request(blocks)).toEqual({ readTokens: 600, writeTokens: 0 });
  });

  it('uses no cache without a mark, nor below 512 tokens', () => {
    const cache = new BlockCache('anthropic');
    const unmarked = [block('system', 5_000)];
    cache.request(unmarked);
    expect(cache.request(unmarked)).toEqual({ readTokens: 0, writeTokens: 0 });
    const short = [marked('short', 511)];
    cache.request(short);
    expect(cache.request(short)).toEqual({ readTokens: 0, writeTokens: 0 });
  });

  it('reads an earlier mark of a growing conversation', () => {
    const cache = new BlockCache('anthropic');
    cache.request([block('system', 600), marked('first', 100), block('memory one', 20)]);
    const second = [block('system', 600), block('first', 100), block('answer', 50), marked('second', 70)];
    expect(cache.request([...second, block('memory two', 20)])).toEqual({ readTokens: 700, writeTokens: 120 });
  });

  it('looks back 20 blocks from a mark, itself included', () => {
    const grown = (count: number): PromptBlock[] => [
      block('system', 600),
      ...Array.from({ length: count - 1 }, (_, index) => block(`more ${index}`, 2)),
      marked('end', 2),
    ];
    const read = (count: number): number => {
      const cache = new BlockCache('anthropic');
      cache.request([marked('system', 600)]);
      return cache.request(grown(count)).readTokens;
    };
    expect(read(19)).toBe(600);
    expect(read(20)).toBe(0);
  });

  it('rejects a fifth mark', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((name) => marked(name, 600));
    expect(() => new BlockCache('anthropic').request(five)).toThrow('A maximum of 4 blocks');
  });
});

describe('readOpenAIBlocks', () => {
  it('reads tools, format and parts in the order of the model, and breakpoints apart from text', () => {
    const blocks = readOpenAIBlocks({
      model: 'gpt-6-luna',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hi.', prompt_cache_breakpoint: { mode: 'explicit' } }],
        },
        { role: 'assistant', content: null, tool_calls: [{ id: 'call_1' }] },
        { role: 'tool', tool_call_id: 'call_1', content: '42' },
      ],
      tools: [{ type: 'function', function: { name: 'count' } }],
      response_format: { type: 'json_object' },
    });
    expect(blocks).toEqual([
      { text: '{"model":"gpt-6-luna"}', isMarked: false },
      { text: '{"tool":{"type":"function","function":{"name":"count"}}}', isMarked: false },
      { text: '{"format":{"type":"json_object"}}', isMarked: false },
      { text: '{"role":"system","type":"text","text":"Be brief."}', isMarked: false },
      { text: '{"role":"user","type":"text","text":"Hi."}', isMarked: true },
      { text: '{"role":"assistant","tool_calls":[{"id":"call_1"}]}', isMarked: false },
      { text: '{"role":"tool","tool_call_id":"call_1"}', isMarked: false },
      { text: '{"role":"tool","type":"text","text":"42"}', isMarked: false },
    ]);
  });

  it('reads the mode of breakpoints', () => {
    expect(readBreakpointMode({})).toBe('implicit');
    expect(readBreakpointMode({ prompt_cache_options: { mode: 'explicit' } })).toBe('explicit');
  });
});

describe('readAnthropicBlocks', () => {
  const body = {
    model: 'claude-haiku-5-5',
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'user', content: [{ type: 'text', text: 'Me.', cache_control: { type: 'ephemeral' } }] },
    ],
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'count', input_schema: {} }],
  };

  it('reads tools, system and messages in the order of the model, and marks apart from text', () => {
    expect(readAnthropicBlocks(body)).toEqual([
      { text: '{"model":"claude-haiku-5-5"}', isMarked: false },
      { text: '{"role":"tool","name":"count","input_schema":{}}', isMarked: false },
      { text: '{"role":"system","type":"text","text":"Be brief."}', isMarked: true },
      { text: '{"role":"user","type":"text","text":"Hi."}', isMarked: false },
      { text: '{"role":"user","type":"text","text":"Me."}', isMarked: true },
    ]);
  });

  it('reads a mark of the whole request as one on the last block', () => {
    const messages = [{ role: 'user', content: 'Hi.' }];
    const blocks = readAnthropicBlocks({ ...body, messages, cache_control: { type: 'ephemeral' } });
    expect(blocks.at(-1)).toEqual({ text: '{"role":"user","type":"text","text":"Hi."}', isMarked: true });
  });
});
