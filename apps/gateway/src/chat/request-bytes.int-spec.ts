import { type OpenAiChatServer, startOpenAiChatServer } from '@annals/testing';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { REQUEST_SHAPES, type RequestShape } from './request-shapes.fixture.js';

/** The message with memories at the end of the messages. */
const TAIL = /,\{"role":"user","content":"<annals-memory>(?:[^"\\]|\\.)*<\/annals-memory>"\}(?=\s*\])/g;
const MARK = ',"prompt_cache_breakpoint":{"mode":"explicit"}';

/** What the upstream got, without what was added to it, by rules of its own. */
function withoutAdditions(raw: string, { text }: RequestShape): { readonly text: string; readonly tails: number } {
  const tails = raw.match(TAIL)?.length ?? 0;
  const rest = raw.replace(TAIL, '');
  const isMarked = !text.includes(MARK) && rest.includes(MARK);
  if (!isMarked) return { text: rest, tails };
  // A part that got one more member, or a text that became a part for it.
  const unmarked = rest.replace(MARK, '');
  const unwrapped = rest.replace(
    /\[\{"type":"text","text":("(?:[^"\\]|\\.)*"),"prompt_cache_breakpoint":\{"mode":"explicit"\}\}\]/,
    '$1',
  );
  return { text: unmarked === text ? unmarked : unwrapped, tails };
}

describe.each(['gpt-4o-mini', 'gpt-6-luna'])('what an OpenAI-compatible upstream gets for %s', (model) => {
  let upstream: OpenAiChatServer;
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    upstream = await startOpenAiChatServer();
    gateway = await startGateway({
      env: {
        ANNALS_CHAT_UPSTREAM_URL: upstream.origin,
        ANNALS_CHAT_UPSTREAM_FREE: 'true',
        ANNALS_CHAT_MEMORY_TIMEOUT_MS: '60000',
      },
    });
    const tenantId = await gateway.makeTenant('acme');
    const admin = await gateway.makeKey({ tenantId });
    key = await gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] });
    const body = { user_id: 'ada', category: 'profile', content: 'The user has a dog named Rex.' };
    await gateway.send(admin, 'POST', '/v1/memories', { body });
  });
  afterAll(async () => {
    await gateway?.close();
    await upstream?.close();
  });

  const shapes = REQUEST_SHAPES.map((shape) => ({ ...shape, text: shape.text.replaceAll('gpt-4o-mini', model) }));
  const complete = async (raw: string, headers: Record<string, string>) => {
    const response = await gateway.send<object>(key, 'POST', '/v1/chat/completions', { raw, headers });
    return { response, sent: upstream.requests.at(-1)!.raw };
  };

  it.each(shapes)('is, without a user, byte by byte what was sent: $name', async ({ text }) => {
    const { response, sent } = await complete(text, {});
    expect(response.headers.get('x-annals-memory')).toBe('no_user');
    expect(sent).toBe(text);
  });

  it.each(shapes)('is, apart from memories, byte by byte what was sent: $name', async (shape) => {
    const { response, sent } = await complete(shape.text, {
      'x-annals-user': 'ada',
      'x-annals-thread': encodeURIComponent(shape.name),
    });
    expect(response.status).toBe(200);
    const { text, tails } = withoutAdditions(sent, shape);
    expect(text).toBe(shape.text);
    expect(tails).toBe(shape.noTail || response.headers.get('x-annals-memory') !== 'used' ? 0 : 1);
    const marksIt = model === 'gpt-6-luna' && tails === 1 && !shape.noMark;
    if (!shape.text.includes(MARK)) expect(sent.includes(MARK)).toBe(marksIt);
  });

  it.each([
    ['last', (text: string) => text.replace(/\}\s*$/, ',"memory":{"top_k":3}}')],
    ['first', (text: string) => text.replace('{', '{"memory":{"top_k":3},')],
    ['in the middle', (text: string) => text.replace('"messages"', '"memory": {"top_k":3}, "messages"')],
    ['twice', (text: string) => text.replace('{', '{"memory":{},"memory":{"top_k":3},')],
  ])('has no field "memory", which stood %s', async (_where, add) => {
    const [{ text }] = shapes as [RequestShape];
    const { sent } = await complete(add(text), {});
    expect(JSON.parse(sent)).toEqual(JSON.parse(text));
    expect(sent.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });
});
