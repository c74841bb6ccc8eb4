import {
  GLOBAL_OWNER,
  type Memory,
  type PatchMemory,
  PROCEDURAL_CATEGORY,
  ProblemError,
  type routes,
} from '@annals/contracts';
import {
  type Clock,
  composeNewMemory,
  composeSuccessor,
  fitsProcedural,
  type MemoryChange,
  ownerOf,
} from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import { type Database, getMemory, getMemoryHistory, listMemories } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { hasScope, isPerson, tenantOf } from '../auth/principal.js';
import { TextEmbedder } from '../embedding/text-embedder.js';
import type { Call } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { parseMentions } from '../redaction/parse-mentions.js';
import { answerWith, expectedRevisionOf, MemoryChanges, NO_EMBEDDINGS, withoutOutcome } from './memory-changes.js';
import { memoryNotFound, MemoryView } from './memory-view.js';
import { WritingChecks } from './writing-checks.js';

/**
 * Reads the memories that the caller's key may see, and writes memories manually. Their content is redacted like that
 * of messages (docs/reference/privacy.md#queries-and-manual-memories-are-redacted).
 */
@Injectable()
export class MemoriesService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(MemoryChanges) private readonly changes: MemoryChanges,
    @Inject(MemoryView) private readonly view: MemoryView,
    @Inject(WritingChecks) private readonly writing: WritingChecks,
    @Inject(TextEmbedder) private readonly embedder: TextEmbedder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(call: Call<typeof routes.listMemories>) {
    return this.listOf(call, call.access.userId);
  }

  async listGlobal(call: Call<typeof routes.listGlobalMemories>) {
    return this.listOf(call, GLOBAL_OWNER);
  }

  private listOf(
    { query, caller, access, redactor }: Call<typeof routes.listMemories> | Call<typeof routes.listGlobalMemories>,
    userId: string | undefined,
  ) {
    const { categories } = access;
    if (query.state !== 'active' && !hasScope(caller, 'admin')) {
      throw new ProblemError('forbidden_scope', `Use a key with the scope admin to list ${query.state} memories.`);
    }
    const mentions = parseMentions(query.mentions, 'query.mentions', redactor);
    return this.database.readTenant(tenantOf(caller), (tx) =>
      listMemories(tx, userId === undefined ? query : { ...query, user_id: userId }, {
        categories,
        mentions,
        insights: this.view.insightsOf(caller),
      }),
    );
  }

  async get({ params, caller }: Call<typeof routes.getMemory>) {
    return this.database.readTenant(tenantOf(caller), (tx) => this.view.findServed(tx, params.id, caller));
  }

  async getHistory({ params, query, caller }: Call<typeof routes.getMemoryHistory>) {
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      await this.view.findServed(tx, params.id, caller);
      const page = await getMemoryHistory(tx, params.id, query);
      if (!page) throw memoryNotFound();
      return page;
    });
  }

  async add(call: Call<typeof routes.addMemory>) {
    return this.addFor(call, call.body.user_id);
  }

  async addGlobal(call: Call<typeof routes.addGlobalMemory>) {
    return this.addFor(call, GLOBAL_OWNER);
  }

  private async addFor(call: Call<typeof routes.addMemory> | Call<typeof routes.addGlobalMemory>, userId: string) {
    const { body, caller, redactor } = call;
    const steps = body.steps && { steps: body.steps.map((step) => redactor.redact(step)) };
    const memory = composeNewMemory({ ...body, content: redactor.redact(body.content), ...steps }, this.clock.now());
    const isRefused =
      this.writing.hasViolations(body) &&
      (await this.database.readTenant(tenantOf(caller), (tx) => this.writing.refuses(tx, body)));
    const embeddings = isRefused ? NO_EMBEDDINGS : await this.embedder.embedContent(tenantOf(caller), memory.content);
    return this.writes.run(call, async (tx) => {
      const warnings = await this.writing.check(tx, body);
      const written = await this.changes.apply(tx, caller, userId, { kind: 'observe', memory }, embeddings);
      const isNew = written.outcome === 'inserted' || written.outcome === 'superseded';
      return this.writing.warn(answerWith(userId, written, isNew ? 201 : 200), warnings);
    });
  }

  async patch(call: Call<typeof routes.patchMemory>) {
    const { params, caller, body, redactor } = call;
    if (isPerson(caller)) refuseJudgement(body);
    const patch: PatchMemory = body.content === undefined ? body : { ...body, content: redactor.redact(body.content) };
    const embeddings =
      patch.content === undefined || (await this.refusesContent(call, patch.content))
        ? NO_EMBEDDINGS
        : await this.embedder.embedContent(tenantOf(caller), patch.content);
    return this.writes.run(call, async (tx) => {
      const memory = await this.view.findServed(tx, params.id, caller);
      const change = { ...this.planPatch(memory, patch), ...expectedRevisionOf(call) };
      const { content } = body;
      // Who sends a memory back as it is writes nothing, and may have written it before the tenant's checks.
      const isChanged = content !== undefined && patch.content !== memory.content;
      const warnings = isChanged ? await this.writing.check(tx, { content, type: memory.type }) : [];
      const owner = ownerOf(memory);
      const written = await this.changes.apply(tx, caller, owner, change, embeddings);
      return this.writing.warn(answerWith(owner, written), warnings);
    });
  }

  async delete(call: Call<typeof routes.deleteMemory>) {
    return this.writes.run(call, async (tx) =>
      withoutOutcome(await this.changes.applyToPath(tx, call, { kind: 'delete', by: 'user' })),
    );
  }

  async deleteGlobal(call: Call<typeof routes.deleteGlobalMemory>) {
    return this.writes.run(call, async (tx) => {
      const { scope } = await this.view.findBound(tx, call.params.id, call.caller);
      if (scope !== 'global') throw memoryNotFound();
      return withoutOutcome(await this.changes.applyToPath(tx, call, { kind: 'delete', by: 'user' }));
    });
  }

  async restore(call: Call<typeof routes.restoreMemory>) {
    return this.writes.run(call, (tx) => this.changes.applyToPath(tx, call, { kind: 'restore' }));
  }

  async undo(call: Call<typeof routes.undoMemory>) {
    return this.writes.run(call, (tx) => this.changes.applyToPath(tx, call, { kind: 'undo' }));
  }

  /** Asked before the text is embedded. The write decides, in its transaction: a repetition of it gets its first answer. */
  private refusesContent(
    { params, body, caller }: Call<typeof routes.patchMemory>,
    redacted: string,
  ): Promise<boolean> {
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      const memory = await getMemory(tx, params.id);
      if (!memory || memory.content === redacted) return false;
      return this.writing.refuses(tx, { content: body.content!, type: memory.type });
    });
  }

  private planPatch(memory: Memory, patch: PatchMemory): MemoryChange {
    const { content, ...edit } = patch;
    checkProcedural(memory, edit.category);
    if (content === undefined) return { kind: 'edit', memoryId: memory.id, patch: edit };
    return { kind: 'supersede', memoryId: memory.id, memory: composeSuccessor(memory, patch, this.clock.now()) };
  }
}

/** Refuses to move a procedure out of its category, or another memory into it. */
function checkProcedural({ type }: Memory, category: string | undefined): void {
  if (category === undefined || fitsProcedural(type, category)) return;
  const message = `Memories of type procedural belong in the category ${PROCEDURAL_CATEGORY}, and no others do.`;
  throw invalidFields([{ path: 'body.category', message }]);
}

/** What a memory says is a person's to correct; how it is kept is the tenant's. */
function refuseJudgement({ content: _content, ...judgement }: PatchMemory): void {
  const fields = Object.keys(judgement);
  if (fields.length === 0) return;
  throw new ProblemError(
    'forbidden_scope',
    `Omit ${fields.join(', ')}: a person’s own page changes what a memory says alone.`,
  );
}
