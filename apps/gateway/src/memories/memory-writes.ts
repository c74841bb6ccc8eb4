import { type Memory, type MemoryWritten, type PatchMemory, PROCEDURAL_CATEGORY, type routes } from '@annals/contracts';
import type { Clock, MemoryChange } from '@annals/domain';
import { CLOCK, CONFIG } from '@annals/runtime';
import type { Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { bindUser } from '../auth/check-bindings.js';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { ContentEmbedder } from '../embedding/content-embedder.js';
import type { Answer, Call } from '../http/call.js';
import { etagOf } from '../http/if-match.js';
import { invalidFields } from '../http/parse-part.js';
import { redactUserText } from '../http/redact-user-text.js';
import { IdempotentWrites, type WriteResult } from '../idempotency/idempotent-writes.js';
import { MemoryChanges, NO_EMBEDDINGS } from './memory-changes.js';
import { MemoryView } from './memory-view.js';
import { composeNewMemory, composeSuccessor } from './new-memory.js';

/**
 * Manual writes. Their content is redacted like that of messages
 * (docs/reference/privacy.md#queries-and-manual-memories-are-redacted).
 */
@Injectable()
export class MemoryWrites {
  constructor(
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(MemoryChanges) private readonly changes: MemoryChanges,
    @Inject(MemoryView) private readonly view: MemoryView,
    @Inject(ContentEmbedder) private readonly embedder: ContentEmbedder,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async add(call: Call<typeof routes.addMemory>): Promise<Answer<MemoryWritten>> {
    const { body, caller } = call;
    const userId = bindUser(caller.bindings, body.user_id, 'body.user_id');
    this.view.checkCategory(body.category, caller);
    const steps = body.steps && { steps: body.steps.map((step) => this.redact(step)) };
    const memory = composeNewMemory({ ...body, content: this.redact(body.content), ...steps }, this.clock.now());
    const embeddings = await this.embedder.embedContent(tenantOf(caller), memory.content);
    return this.writes.run(call, async (tx) => {
      const written = await this.changes.apply(tx, caller, userId, { kind: 'observe', memory }, embeddings);
      const isNew = written.outcome === 'inserted' || written.outcome === 'superseded';
      return answerWith(userId, written, isNew ? 201 : 200);
    });
  }

  async patch(call: Call<typeof routes.patchMemory>): Promise<Answer<MemoryWritten>> {
    const { params, caller, body } = call;
    const patch: PatchMemory = body.content === undefined ? body : { ...body, content: this.redact(body.content) };
    if (patch.category !== undefined) this.view.checkCategory(patch.category, caller);
    const embeddings =
      patch.content === undefined ? NO_EMBEDDINGS : await this.embedder.embedContent(tenantOf(caller), patch.content);
    return this.writes.run(call, async (tx) => {
      const memory = await this.view.findServed(tx, params.id, caller);
      const change = { ...this.planPatch(memory, patch), ...expectedRevisionOf(call) };
      return answerWith(memory.user_id, await this.changes.apply(tx, caller, memory.user_id, change, embeddings));
    });
  }

  async delete(call: Call<typeof routes.deleteMemory>): Promise<Answer<Memory>> {
    return this.writes.run(call, async (tx) => {
      const { userId, answer } = await this.change(tx, call, { kind: 'delete', by: 'user' });
      return { userId, answer: { ...answer, body: answer.body.memory } };
    });
  }

  async restore(call: Call<typeof routes.restoreMemory>): Promise<Answer<MemoryWritten>> {
    return this.writes.run(call, (tx) => this.change(tx, call, { kind: 'restore' }));
  }

  async undo(call: Call<typeof routes.undoMemory>): Promise<Answer<MemoryWritten>> {
    return this.writes.run(call, (tx) => this.change(tx, call, { kind: 'undo' }));
  }

  /** Changes the memory that the path names, at the revision that the caller expects. */
  private async change(
    tx: Tx,
    call: Call & { readonly params: { readonly id: string } },
    requestedChange: { kind: 'delete'; by: 'user' } | { kind: 'restore' } | { kind: 'undo' },
  ) {
    const { params, caller } = call;
    const { user_id: userId } = await this.view.findBound(tx, params.id, caller);
    const change: MemoryChange = { ...requestedChange, memoryId: params.id, ...expectedRevisionOf(call) };
    return answerWith(userId, await this.changes.apply(tx, caller, userId, change));
  }

  private planPatch(memory: Memory, patch: PatchMemory): MemoryChange {
    const { content, category, importance, pinned } = patch;
    checkProcedural(memory, category);
    if (content !== undefined) {
      return { kind: 'supersede', memoryId: memory.id, memory: composeSuccessor(memory, patch, this.clock.now()) };
    }
    const named = Object.fromEntries(
      Object.entries({ category, importance, pinned }).filter(([, value]) => value !== undefined),
    );
    return { kind: 'edit', memoryId: memory.id, patch: named };
  }

  private redact(content: string): string {
    return redactUserText(content, this.config);
  }
}

/**
 * Refuses a patch that would move a procedure out of its category, or another memory into it
 * (docs/reference/extraction.md#procedures).
 */
function checkProcedural({ type }: Memory, category: string | undefined): void {
  if (category === undefined || (type === 'procedural') === (category === PROCEDURAL_CATEGORY)) return;
  const message = `Memories of type procedural belong in the category ${PROCEDURAL_CATEGORY}, and no others do.`;
  throw invalidFields([{ path: 'body.category', message }]);
}

/** The precondition of a change: the revision in `If-Match`. */
export function expectedRevisionOf({ expectedRevision }: Pick<Call, 'expectedRevision'>): {
  expectedRevision?: number;
} {
  return expectedRevision === null ? {} : { expectedRevision };
}

/** A response with the memory's current revision as ETag. */
export function answerWith(userId: string, body: MemoryWritten, status = 200): WriteResult<MemoryWritten> {
  return { userId, answer: { status, body, headers: etagOf(body.memory) } };
}
