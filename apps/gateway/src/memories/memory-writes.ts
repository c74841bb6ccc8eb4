import type { Memory, MemoryWritten, PatchMemory, routes } from '@annals/contracts';
import {
  type Clock,
  type ChangeResult,
  type IdGenerator,
  type MemoryChange,
  readSystemRandomBytes,
} from '@annals/domain';
import { CLOCK, CONFIG, IDS } from '@annals/runtime';
import { getMemory, type MemoryWriteCommand, type Tx, writeMemories } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { bindUser } from '../auth/check-bindings.js';
import { type Principal, tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { ContentEmbedder } from '../embedding/content-embedder.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { redactWritten } from '../http/redact-written.js';
import { judgeOutcome, type WrittenOutcome } from './judge-outcome.js';
import { memoryNotFound, MemoryView } from './memory-view.js';
import { composeNewMemory, composeSuccessor } from './new-memory.js';

type Embeddings = MemoryWriteCommand['embeddings'];

const NO_EMBEDDINGS: Embeddings = new Map();

/** Writes by hand, through the one write path (decision 32). Their words are redacted like anyone's (decision 46). */
@Injectable()
export class MemoryWrites {
  constructor(
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(MemoryView) private readonly view: MemoryView,
    @Inject(ContentEmbedder) private readonly embedder: ContentEmbedder,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  async add(call: Call<typeof routes.addMemory>): Promise<Answer<MemoryWritten>> {
    const { body, caller } = call;
    const userId = bindUser(caller.bindings, body.user_id);
    this.view.checkCategory(body.category, caller);
    const memory = composeNewMemory({ ...body, content: this.redact(body.content) }, this.clock.now());
    const embeddings = await this.embedder.embedContent(tenantOf(caller), memory.content);
    return this.writes.run(call, async (tx) => {
      const written = await this.apply(tx, caller, userId, { kind: 'observe', memory }, embeddings);
      return { userId, answer: { status: written.outcome === 'inserted' ? 201 : 200, body: written } };
    });
  }

  async patch(call: Call<typeof routes.patchMemory>): Promise<Answer<MemoryWritten>> {
    const { params, caller } = call;
    const { body } = call;
    const patch: PatchMemory = body.content === undefined ? body : { ...body, content: this.redact(body.content) };
    if (patch.category !== undefined) this.view.checkCategory(patch.category, caller);
    const embeddings =
      patch.content === undefined ? NO_EMBEDDINGS : await this.embedder.embedContent(tenantOf(caller), patch.content);
    return this.writes.run(call, async (tx) => {
      const memory = await this.view.findServed(tx, params.id, caller);
      const change = this.planPatch(memory, patch);
      const written = await this.apply(tx, caller, memory.user_id, change, embeddings);
      return { userId: memory.user_id, answer: ok(written) };
    });
  }

  async delete(call: Call<typeof routes.deleteMemory>): Promise<Answer<Memory>> {
    const { params, caller } = call;
    return this.writes.run(call, async (tx) => {
      const { user_id: userId } = await this.view.findBound(tx, params.id, caller);
      const change = { kind: 'delete', memoryId: params.id, by: 'user' } as const;
      const { memory } = await this.apply(tx, caller, userId, change, NO_EMBEDDINGS);
      return { userId, answer: ok(memory) };
    });
  }

  async restore(call: Call<typeof routes.restoreMemory>): Promise<Answer<MemoryWritten>> {
    const { params, caller } = call;
    return this.writes.run(call, async (tx) => {
      const { user_id: userId } = await this.view.findBound(tx, params.id, caller);
      const change = { kind: 'restore', memoryId: params.id } as const;
      return { userId, answer: ok(await this.apply(tx, caller, userId, change, NO_EMBEDDINGS)) };
    });
  }

  private planPatch(memory: Memory, patch: PatchMemory): MemoryChange {
    const { content, category, importance, pinned } = patch;
    if (content !== undefined) {
      return { kind: 'supersede', memoryId: memory.id, memory: composeSuccessor(memory, patch, this.clock.now()) };
    }
    const named = Object.fromEntries(
      Object.entries({ category, importance, pinned }).filter(([, value]) => value !== undefined),
    );
    return { kind: 'edit', memoryId: memory.id, patch: named };
  }

  /** Writes one change and answers with the memory that carries the statement afterwards. */
  private async apply(
    tx: Tx,
    caller: Principal,
    userId: string,
    change: MemoryChange,
    embeddings: Embeddings,
  ): Promise<{ outcome: WrittenOutcome; memory: Memory }> {
    const command = { userId, actor: `key:${caller.keyId}`, node: 'api', changes: [change], embeddings };
    const { clock, ids } = this;
    const randomBytes = (size: number) => Buffer.from(readSystemRandomBytes(size));
    const written = await writeMemories(tx, command, { clock, ids, randomBytes });
    if (written.outcome !== 'applied') throw new Error('A write by hand belongs to no batch.');
    const result: ChangeResult = written.results[0]!;
    const outcome = judgeOutcome(result.outcome);
    const memory = await getMemory(tx, result.memoryId);
    if (!memory) throw memoryNotFound();
    this.view.checkWritten(memory, caller);
    return { outcome, memory };
  }

  private redact(content: string): string {
    return redactWritten(content, this.config);
  }
}
