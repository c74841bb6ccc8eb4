import { type LangGraphThreadPage, ProblemError, type routes } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import { CLOCK, DATABASE, IDS } from '@annals/runtime';
import {
  copyLangGraphThread,
  type Database,
  deleteLangGraphThreads,
  listLangGraphThreads,
  pruneLangGraphThreads,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

@Injectable()
export class LangGraphThreadsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  async list({ query, access, caller }: Call<typeof routes.listLangGraphThreads>): Promise<LangGraphThreadPage> {
    return this.database.readTenantPipelined(tenantOf(caller), (tx) =>
      listLangGraphThreads(tx, { ...query, userId: access.userId }),
    );
  }

  async copy(call: Call<typeof routes.copyLangGraphThread>) {
    const { params, body, access } = call;
    return this.writes.run(call, async (tx) => {
      const copied = await copyLangGraphThread(tx, {
        sourceId: params.thread_id,
        targetId: body.thread_id,
        userId: access.userId,
        now: this.clock.now(),
        ids: this.ids,
      });
      if (copied === 'not_found') throw new ProblemError('not_found', 'There is no thread of this id.');
      if (copied === 'exists') {
        throw new ProblemError(
          'thread_exists',
          'There is a thread of the id body.thread_id: delete it first, or copy to another id.',
        );
      }
      return { answer: { status: 201, body: copied } };
    });
  }

  async prune(call: Call<typeof routes.pruneLangGraphThreads>) {
    const { thread_ids: threadIds, strategy } = call.body;
    const threads = { threadIds, userId: call.access.userId, now: this.clock.now() };
    return this.writes.run(call, async (tx) => ({
      answer: ok(
        strategy === 'delete' ? await deleteLangGraphThreads(tx, threads) : await pruneLangGraphThreads(tx, threads),
      ),
    }));
  }

  async delete(call: Call<typeof routes.deleteLangGraphThread>) {
    const threads = { threadIds: [call.params.thread_id], userId: call.access.userId, now: this.clock.now() };
    return this.writes.run(call, async (tx) => ({ answer: ok(await deleteLangGraphThreads(tx, threads)) }));
  }
}
