import { ProblemError, type routes, type ThreadChange as ChangeBody, type ThreadDelta } from '@annals/contracts';
import {
  applyCategoryView,
  type CategoryView,
  type Clock,
  isDeletion,
  removeHidden,
  renderHeader,
} from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import {
  allOf,
  type Database,
  threadExists,
  type ListedChange,
  listRelated,
  listThreadChanges,
  readThreadChanges,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { MemoryView } from '../memories/memory-view.js';

/** Changes in a thread and relations between memories, as far as the caller's key may see them. */
@Injectable()
export class ThreadsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(MemoryView) private readonly view: MemoryView,
  ) {}

  async readDelta({ params, query, caller, access }: Call<typeof routes.getThreadDelta>): Promise<ThreadDelta> {
    const { userId } = access;
    if (userId === undefined) throw invalidFields([{ path: 'query.user_id', message: 'Send the user of the thread.' }]);
    const view = access.view!;
    const { since, limit, cursor } = query;
    const window = { userId, threadId: params.thread_id, since, view };
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      const [exists, { revision, changes, omitted }, page] = await allOf([
        threadExists(tx, userId, params.thread_id),
        readThreadChanges(tx, window),
        listThreadChanges(tx, { ...window, limit, cursor }),
      ]);
      if (!exists) throw new ProblemError('not_found', 'The user has no thread with this id.');
      return {
        user_id: userId,
        thread_id: params.thread_id,
        since,
        revision,
        header: renderHeader({ since, changes, omitted, view }),
        changes: page.items.flatMap((change) => toBody(change, view)),
        next_cursor: page.next_cursor,
      };
    });
  }

  async listRelated({ params, query, caller, access }: Call<typeof routes.getRelatedMemories>) {
    const { categories } = access;
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      await this.view.findServed(tx, params.id, caller);
      const scope = { memoryId: params.id, categories, insights: this.view.insightsOf(caller) };
      return listRelated(tx, { ...scope, now: this.clock.now(), ...query });
    });
  }
}

function toBody(listed: ListedChange, view: CategoryView): ChangeBody[] {
  return applyCategoryView([listed], view).map(({ revision, event, memoryId, category, content, importance }) => ({
    revision,
    event,
    memory_id: memoryId,
    category,
    text: isDeletion(event) || content === null ? null : removeHidden(content),
    importance,
    ts: listed.ts,
  }));
}
