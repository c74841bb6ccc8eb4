import type { Conversation } from '@annals/contracts';
import { type OpenAiChatServer, startOpenAiChatServer, waitUntil } from '@annals/testing';
import OpenAI from 'openai';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('POST /v1/chat/completions', () => {
  let upstream: OpenAiChatServer;
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let admin: string;
  let users = 0;
  let user: string;
  beforeAll(async () => {
    upstream = await startOpenAiChatServer();
    gateway = await startGateway({
      env: {
        ANNALS_CHAT_UPSTREAM_URL: upstream.origin,
        ANNALS_CHAT_UPSTREAM_KEY: 'our-upstream-key',
      },
    });
    tenantId = await gateway.makeTenant('acme');
    key = await gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] });
    admin = await gateway.makeKey({ tenantId });
  });
  beforeEach(() => {
    user = `user-${(users += 1)}`;
  });
  afterAll(async () => {
    await gateway?.close();
    await upstream?.close();
  });

  const remember = (content: string) =>
    gateway.send(admin, 'POST', '/v1/memories', { body: { user_id: user, category: 'profile', content } });

  it('adds memories after the last message and stores what was said', async () => {
    await remember('The user has a dog named Rex.');
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const { data, response } = await client.chat.completions
      .create({ model: 'gpt-6-luna', user, messages: [{ role: 'user', content: 'What is the name of my dog?' }] })
      .withResponse();
    expect(data.choices[0]!.message.content).toBe('Hello.');
    console.log(Object.fromEntries(response.headers), upstream.requests.at(-1)!.raw);
  });

  it('hello has no memories', async () => {
    await remember('The user has a dog named Rex.');
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const { response } = await client.chat.completions
      .create({ model: 'gpt-6-luna', user, messages: [{ role: 'user', content: 'Hello there!' }], stream: true })
      .withResponse();
    console.log(Object.fromEntries(response.headers), upstream.requests.at(-1)!.raw);
  });
});
