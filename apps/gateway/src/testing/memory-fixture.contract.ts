import type { StoredMessage } from '@annals/contracts';
import { type MemoryChange, type NewMemory } from '@annals/domain';
import { createEmbeddingProvider, hashText } from '@annals/llm-core';
import { type ContentEmbedding, writeMemories } from '@annals/storage';
import { newMemory } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import type { TestGateway } from './start-gateway.contract.js';

const embedder = createEmbeddingProvider({ provider: 'hashed' });

/** Creates conversations and memories of one tenant, as extraction and persistence would. */
export class MemoryFixture {
  private constructor(
    private readonly gateway: TestGateway,
    readonly tenantId: string,
    readonly key: string,
  ) {}

  static async open(gateway: TestGateway, name: string): Promise<MemoryFixture> {
    const tenantId = await gateway.makeTenant(name);
    return new MemoryFixture(gateway, tenantId, await gateway.makeKey({ tenantId }));
  }

  /** Posts messages of a user and returns their ids. */
  async postMessages(userId: string, threadId: string, ...contents: string[]): Promise<string[]> {
    const posted = await this.gateway.send<{ conversation_id: string }>(this.key, 'POST', '/v1/conversations', {
      body: { user_id: userId, thread_id: threadId, messages: contents.map((content) => ({ role: 'user', content })) },
    });
    const path = `/v1/conversations/${posted.body.conversation_id}?limit=200`;
    const { body } = await this.gateway.send<{ messages: StoredMessage[] }>(this.key, 'GET', path);
    return contents.map((content) => body.messages.findLast((message) => message.content === content)!.id);
  }

  /** A memory to write, manually written unless it has sources. */
  statement(content: string, fields: Partial<NewMemory> = {}): NewMemory {
    const now = this.gateway.infrastructure.clock.now();
    return newMemory(content, now, { category: 'preferences', confidence: 1, ...fields });
  }

  /** Applies changes to a user's memories and returns the ids of the memories that contain the statements. */
  async change(
    userId: string,
    changes: readonly MemoryChange[],
    links: readonly { from: number; to: number; strength: number }[] = [],
  ): Promise<string[]> {
    const contents = changes.flatMap((change) => ('memory' in change ? [change.memory.content] : []));
    const { vectors } = await embedder.embed(contents, { signal: AbortSignal.timeout(5_000) });
    const embeddings = new Map<string, ContentEmbedding>(
      contents.map((content, index) => [
        content,
        { model: embedder.model, contentHash: Buffer.from(hashText(content), 'hex'), vector: vectors[index]! },
      ]),
    );
    const { clock, ids } = this.gateway.infrastructure;
    const result = await this.gateway.database.inTenant(this.tenantId, (tx) =>
      writeMemories(
        tx,
        {
          userId,
          actor: 'spec',
          node: 'api',
          changes,
          embeddings,
          links: links.map((link) => ({ ...link, relationType: 'related_to' })),
        },
        { clock, ids, randomBytes },
      ),
    );
    if (result.outcome !== 'applied') throw new Error(`Not applied: ${result.outcome}`);
    return result.results.map(({ memoryId }) => memoryId);
  }

  /** Links each memory to the next, whatever their states: links outlive the state changes of memories. */
  async linkAll(userId: string, memoryIds: readonly string[]): Promise<void> {
    const { ids, clock } = this.gateway.infrastructure;
    await this.gateway.database.inTenant(this.tenantId, async (tx) => {
      for (const [index, from] of memoryIds.slice(0, -1).entries()) {
        await tx.execute(
          `INSERT INTO relations (id, user_id, from_id, to_id, strength, created_at) VALUES ($1, $2, $3, $4, 0.9, $5)`,
          [ids.next(), userId, from, memoryIds[index + 1], new Date(clock.now())],
        );
      }
    });
  }

  async addMemory(userId: string, content: string, fields: Partial<NewMemory> = {}): Promise<string> {
    const [id] = await this.change(userId, [{ kind: 'observe', memory: this.statement(content, fields) }]);
    return id!;
  }

  async queryMemory<Answer>(body: object, key = this.key): Promise<{ status: number; body: Answer }> {
    return this.gateway.send<Answer>(key, 'POST', '/v1/memory/query', { body });
  }
}
