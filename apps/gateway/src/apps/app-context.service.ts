import { type AppContextBody, ProblemError, type routes } from '@annals/contracts';
import { type AppContextPlace, type Clock, renderAppContext } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { CLOCK, DATABASE, LOGGER, METRICS } from '@annals/runtime';
import { type Database, markMemoriesInjected, readAppContext } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { invalidFields } from '../http/parse-input.js';
import { notInstalled } from './app-registry.service.js';

/** What an app remembers, as text for a prompt. What is stored is read; nothing is made on request. */
@Injectable()
export class AppContextService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async read({ params, query, caller, access }: Call<typeof routes.getAppContext>): Promise<AppContextBody> {
    const { userId } = access;
    if (userId === undefined) throw invalidFields([{ path: 'query.user_id', message: 'Send the user of the app.' }]);
    const tenantId = tenantOf(caller);
    const conversationId = query.conversation_id ?? null;
    const request = { appId: params.app_id, userId, agentId: caller.bindings.agentId, conversationId };
    const stored = await this.database.readTenant(tenantId, (tx) => readAppContext(tx, request));
    if (!stored) throw notInstalled();
    const { app, memories, conversation } = stored;
    if (conversationId !== null && !conversation) {
      throw new ProblemError('not_found', 'The user has no conversation of this app with this id.');
    }
    const place: AppContextPlace =
      query.place === 'selection' ? { place: query.place } : { place: query.place, conversationId };
    const { text, memoryIds, injectedInto } = renderAppContext(app.name, memories, place);
    if (injectedInto !== null && !conversation!.isInjected) await this.count(tenantId, injectedInto);
    this.logger.debug('app_memories_retrieved', { tenantId, count: memoryIds.length });
    return {
      app_id: app.appId,
      user_id: userId,
      text,
      memory_ids: [...memoryIds],
      memories_injected: injectedInto !== null,
      as_of: memories[0] ? new Date(memories[0].updatedAt).toISOString() : null,
    };
  }

  private async count(tenantId: string, conversationId: string): Promise<void> {
    const isFirst = await this.database.inTenant(tenantId, (tx) =>
      markMemoriesInjected(tx, conversationId, this.clock.now()),
    );
    if (isFirst) this.metrics.inc('memory_llm_app_contexts_injected_total');
  }
}
