import { ManualClock } from '@annals/domain';
import { loadPricingCatalog } from '../pricing/load-pricing-catalog.js';
import { ChatPricing } from './chat-pricing.js';
import { readChatBody as read } from './read-chat-body.js';

const readChatBody = (body: Record<string, unknown>) => read(body, JSON.stringify(body));

const MODEL = { provider: 'openai', model: 'gpt-6-luna' } as const;
const pricing = new ChatPricing(loadPricingCatalog(), new ManualClock(Date.UTC(2026, 10, 1)));
const boundOf = (body: object, maxOutputTokens = 1_000) =>
  pricing.bound(MODEL, readChatBody({ model: MODEL.model, ...body }), { inputBytes: 1_000, maxOutputTokens });
const withPart = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });

describe('the bound of a chat completion', () => {
  it('is never below its cost', () => {
    const usage = { inputTokens: 1_000, outputTokens: 1_000, cacheReadTokens: 0, cacheWriteTokens: 1_000 };
    const view = readChatBody({ model: MODEL.model });
    expect(boundOf({})).toBeGreaterThanOrEqual(pricing.cost(MODEL, usage, view));
  });

  it('counts each of several answers', () => {
    expect(boundOf({ n: 4 }) - boundOf({})).toBe(3 * (boundOf({}, 2_000) - boundOf({})));
  });

  it.each([
    ['an image', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, 4_000],
    ['a file', { type: 'file', file: { file_id: 'file-1' } }, 100_000],
    [
      'a document in the result of a tool',
      {
        type: 'tool_result',
        tool_use_id: 't',
        content: [{ type: 'document', source: { type: 'url', url: 'https://e.com/a.pdf' } }],
      },
      100_000,
    ],
  ])('counts %s that the request only points to', (_what, part, least) => {
    expect(boundOf(withPart(part)) - boundOf({})).toBeGreaterThanOrEqual(least);
  });

  const long = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  it.each<[string, object, number]>([
    ['a service tier', { service_tier: 'priority' }, 2],
    ['a region', { inference_geo: 'us' }, 2],
    ['speed', { speed: 'fast' }, 2],
    ['a long life in the cache', withPart({ type: 'text', text: 'Hi', ...long }), 2],
    ['a long life of a message in the cache', { messages: [{ role: 'user', content: 'Hi', ...long }] }, 2],
    ['two surcharges', { service_tier: 'priority', prompt_cache_options: { ttl: '12h' } }, 4],
    ['words about a long life', { messages: [{ role: 'user', content: '"ttl":"1h"' }] }, 1],
    ['a long life of tools in the cache', { tools: [{ type: 'function', function: { name: 'f' }, ...long }] }, 2],
    ['the usual tier', { service_tier: 'default' }, 1],
    ['the usual life in the cache', { cache_control: { type: 'ephemeral', ttl: '5m' } }, 1],
  ])('is that of %s', (_what, body, factor) => {
    expect(boundOf(body)).toBe(factor * boundOf({}));
  });

  it('knows no price of what is not paid by tokens', () => {
    expect(readChatBody({ web_search_options: {} }).pricedApart).toBe('web_search_options');
    expect(readChatBody({ audio: null, tools: [{ type: 'function' }, { name: 'f' }] }).pricedApart).toBeNull();
    expect(readChatBody({ models: ['a', 'b'] }).pricedApart).toBe('models');
    expect(readChatBody({ n: '128' }).pricedApart).toBe('n');
    expect(readChatBody(withPart({ type: 'video_url' })).pricedApart).toBe('messages');
    expect(readChatBody({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }).pricedApart).toBe('tools');
  });
});

describe('readChatBody', () => {
  it.each<[string, object]>([
    ['nothing', {}],
    ['messages that are none', { messages: 'Hi' }],
    [
      'messages of other types',
      { messages: [null, 7, 'Hi', [], { role: 7 }, { role: 'user' }, { role: 'user', content: 7 }] },
    ],
    ['limits that are none', { max_tokens: 'many', n: 0, max_completion_tokens: -1 }],
  ])('reads %s', (_what, body) => {
    expect(readChatBody(body as Record<string, unknown>)).toMatchObject({
      turns: [],
      question: null,
      choices: 1,
      maxOutputTokens: null,
    });
  });

  it('takes the larger of two limits', () => {
    expect(readChatBody({ max_tokens: 1, max_completion_tokens: 9 }).maxOutputTokens).toBe(9);
  });

  it('reads who said what', () => {
    const parts = [{ type: 'text', text: 'A' }, { type: 'image_url' }, { type: 'text', text: 'B' }];
    const { turns, question, lastRole } = readChatBody({
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', name: 'ana', content: parts },
        { role: 'assistant', content: 'C', tool_calls: [] },
        { role: 'tool', content: 'T' },
      ],
    });
    expect(turns).toEqual([
      { role: 'user', text: 'A\nB', name: 'ana' },
      { role: 'assistant', text: 'C', name: null },
    ]);
    expect([question, lastRole]).toEqual(['A\nB', 'tool']);
  });
});
