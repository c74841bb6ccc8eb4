import { ProblemError, type routes, type ThreadChange as ChangeBody, type ThreadDelta } from '@annals/contracts';
import { type CategoryView, renderHeader, applyCategoryView } from '@annals/domain';
import { DATABASE } from '@annals/runtime';
import {
  allOf,
  type Database,
  threadExists,
  type ListedChange,
  listThreadChanges,
  readThreadChanges,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { bindUser } from '../auth/check-bindings.js';
import { tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { invalidFields } from '../http/parse-part.js';

/** Lists the changes in a thread that the caller may see. */
@Injectable()
export class ThreadDeltas {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
  ) {}

  async read({ params, query, caller }: Call<typeof routes.getThreadDelta>): Promise<ThreadDelta> {
    const userId = bindUser(caller.bindings, query.user_id, 'query.user_id');
    if (userId === undefined) throw invalidFields([{ path: 'query.user_id', message: 'Send the user of the thread.' }]);
    const view = this.catalog.resolveView({ agent: query.agent, userId }, caller.bindings);
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
}

function toBody(listed: ListedChange, view: CategoryView): ChangeBody[] {
  return applyCategoryView([listed], view).map(({ revision, event, memoryId, category, content, importance }) => ({
    revision,
    event,
    memory_id: memoryId,
    category,
    text: event === 'deleted' || event === 'soft_deleted' ? null : content,
    importance,
    ts: listed.ts,
  }));
}
