import { type AppMemoriesDeleted, type AppMemoryBody, ProblemError, type routes } from '@annals/contracts';
import { type Clock, type IdGenerator, removeHidden } from '@annals/domain';
import { currentTraceparent, type Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER } from '@annals/runtime';
import {
  type Database,
  deleteAppMemory,
  hasAppMemory,
  listAppMemories,
  purgeAppMemories,
  type StoredAppMemory,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

/** What apps remember, whether they are installed or not. */
@Injectable()
export class AppMemoriesService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list({ params, query, caller, access }: Call<typeof routes.listAppMemories>) {
    const { limit, cursor } = query;
    const page = await this.database.readTenant(tenantOf(caller), (tx) =>
      listAppMemories(tx, params.app_id, { userId: access.userId, view: caller.bindings, limit, cursor }),
    );
    return { ...page, items: page.items.map(toBody) };
  }

  async purge(call: Call<typeof routes.purgeAppMemories>) {
    const { params, access } = call;
    const { userId } = access;
    return this.writes.run(call, async (tx) => {
      const request = { now: this.clock.now(), ids: this.ids, trace: currentTraceparent() ?? null };
      const count = await purgeAppMemories(tx, { appId: params.app_id, userId }, request);
      return { ...this.answer(call, count), ...(userId === undefined ? {} : { userId }) };
    });
  }

  async delete(call: Call<typeof routes.deleteAppMemory>) {
    const { params, caller } = call;
    const memory = { appId: params.app_id, id: params.id };
    return this.writes.run(call, async (tx) => {
      if (!(await hasAppMemory(tx, { ...memory, view: caller.bindings }))) {
        throw new ProblemError('not_found', 'The app has no memory with this id.');
      }
      await deleteAppMemory(tx, memory.id, this.clock.now());
      return this.answer(call, 1);
    });
  }

  private answer({ caller }: Call, count: number) {
    const afterCommit = () =>
      this.logger.info('app_memories_deleted', { tenantId: tenantOf(caller), keyId: caller.keyId, count });
    return { answer: ok<AppMemoriesDeleted>({ deleted_count: count }), afterCommit };
  }
}

function toBody(memory: StoredAppMemory): AppMemoryBody {
  return {
    id: memory.id,
    app_id: memory.appId,
    user_id: memory.userId,
    conversation_ids: [...memory.sourceConversationIds],
    content: removeHidden(memory.content),
    as_of_seq: memory.asOfSeq,
    provider: memory.provider,
    model: memory.model,
    created_at: new Date(memory.createdAt).toISOString(),
    updated_at: new Date(memory.updatedAt).toISOString(),
  };
}
