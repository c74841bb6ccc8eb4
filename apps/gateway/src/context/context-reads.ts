import type { ProposalPage, routes, UserContext } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import { type Database, getUserContext, listProposals } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { bindUser } from '../auth/check-bindings.js';
import { tenantOf } from '../auth/principal.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { etagOf } from '../http/if-match.js';
import { checkContextCategory } from './bind-context.js';

/** Reads the user context, and the proposals that wait for consent. */
@Injectable()
export class ContextReads {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async get({ params, caller }: Call<typeof routes.getUserContext>): Promise<Answer<UserContext>> {
    checkContextCategory(this.catalog, caller);
    const userId = bindUser(caller.bindings, params.user_id, 'params.user_id');
    const context = await this.database.readTenant(tenantOf(caller), (tx) => getUserContext(tx, userId));
    return { ...ok(context), headers: etagOf(context) };
  }

  async listProposals({ params, query, caller }: Call<typeof routes.listProposals>): Promise<ProposalPage> {
    checkContextCategory(this.catalog, caller);
    const userId = bindUser(caller.bindings, params.user_id, 'params.user_id');
    const now = this.clock.now();
    return this.database.readTenant(tenantOf(caller), (tx) => listProposals(tx, userId, query, now));
  }
}
