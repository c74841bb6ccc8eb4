import type { MemoryWritten, StoredMessage } from '@annals/contracts';
import {
  type AnthropicChatServer,
  BlockCache,
  type CachingRules,
  type OpenAiChatServer,
  startAnthropicChatServer,
  startOpenAiChatServer,
} from '@annals/testing';
import OpenAI from 'openai';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

export const OPENAI_MODEL = 'gpt-6-luna';
export const CLAUDE_MODEL = 'claude-haiku-5-5';

export interface ChatOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cachingRules?: CachingRules;
}

/** A gateway with both upstreams, which record what they get. */
export interface ChatSystem {
  readonly gateway: TestGateway;
  readonly openai: OpenAiChatServer;
  readonly anthropic: AnthropicChatServer;
  readonly tenantId: string;
  /** Of a product’s backend: `query` and `ingest`. */
  readonly key: string;
  readonly baseURL: string;
  /** The official client, with another base URL and key alone. */
  connect(headers?: Readonly<Record<string, string>>, options?: { readonly maxRetries?: number }): OpenAI;
  remember(user: string, content: string): Promise<string>;
  /** What is stored of a thread: "user: Hi". */
  listSaid(user: string, thread: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function startChatSystem({
  env = {},
  cachingRules = 'openai-breakpoints',
}: ChatOptions = {}): Promise<ChatSystem> {
  const openai = await startOpenAiChatServer(new BlockCache(cachingRules));
  const anthropic = await startAnthropicChatServer({ cache: new BlockCache('anthropic') });
  const gateway = await startGateway({
    env: {
      ANNALS_CHAT_UPSTREAM_URL: openai.origin,
      ANNALS_CHAT_UPSTREAM_KEY: 'our-openai-key',
      ANNALS_CHAT_ANTHROPIC_URL: anthropic.origin,
      ANNALS_CHAT_ANTHROPIC_KEY: 'our-anthropic-key',
      // Machines of specs are busy: whether memory is in time is the matter of its own spec.
      ANNALS_CHAT_MEMORY_TIMEOUT_MS: '60000',
      ...env,
    },
  });
  const tenantId = await gateway.makeTenant('acme');
  const admin = await gateway.makeKey({ tenantId });
  const key = await gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] });
  const baseURL = `${gateway.url}/v1`;
  return {
    gateway,
    openai,
    anthropic,
    tenantId,
    key,
    baseURL,
    connect: (headers = {}, { maxRetries = 0 } = {}) =>
      new OpenAI({ apiKey: key, baseURL, maxRetries, defaultHeaders: headers }),
    async remember(user, content) {
      const body = { user_id: user, category: 'profile', content };
      const { body: written } = await gateway.send<MemoryWritten>(admin, 'POST', '/v1/memories', { body });
      return written.memory.id;
    },
    async listSaid(user, thread) {
      const rows = await gateway.database.inTenant(tenantId, (tx) =>
        tx.query<Pick<StoredMessage, 'role' | 'content'>>(
          `SELECT m.role, m.content FROM messages m
             JOIN conversations c ON c.tenant_id = m.tenant_id AND c.id = m.conversation_id
            WHERE c.user_id = $1 AND c.thread_id = $2 ORDER BY m.seq`,
          [user, thread],
        ),
      );
      return rows.map(({ role, content }) => `${role}: ${content}`);
    },
    async close() {
      await gateway.close();
      await Promise.all([openai.close(), anthropic.close()]);
    },
  };
}
