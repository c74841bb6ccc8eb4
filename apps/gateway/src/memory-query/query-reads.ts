import type { MemorySource } from '@annals/contracts';
import type { Clock, RankedAnswer } from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import {
  allOf,
  type Database,
  findCandidates,
  findLinked,
  type LinkedMemory,
  listCategoryMemories,
  loadAnswerSources,
  readThreadChanges,
  type CandidateSearchResult,
  type RecallSearch,
  reindexUser,
  type ThreadChanges,
  type Tx,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { RELATED_CANDIDATES } from './add-related.js';
import { listCategoryLimits } from './list-category-limits.js';
import type { QueryPlan } from './plan-query.js';

const NO_CHANGES: ThreadChanges = { revision: 0, changes: [], omitted: 0 };

/** What comes with the answers. */
export interface Attachments {
  /** Where they were said, with the words, by id; of none where nobody wants the words. */
  readonly quotes: ReadonlyMap<string, readonly MemorySource[]>;
  readonly linked: readonly LinkedMemory[];
}

const NO_ATTACHMENTS: Attachments = { quotes: new Map(), linked: [] };

/** What memory.query reads of the database. Nothing but SQL is waited for while a connection is held. */
@Injectable()
export class QueryReads {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
  ) {}

  /** Candidates, and beside them what changed in the thread. */
  async find(
    plan: QueryPlan,
    search: RecallSearch,
  ): Promise<{ findings: CandidateSearchResult; changes: ThreadChanges }> {
    const { tenantId } = plan;
    const read = () =>
      this.database.readTenant(tenantId, async (tx) => {
        const [findings, changes] = await allOf([findCandidates(tx, search), readChanges(tx, plan)]);
        return { findings, changes };
      });
    const found = await read();
    if (!found.findings.isStale) return found;
    const { userId } = search;
    await this.database.inTenant(tenantId, (tx) => reindexUser(tx, { userId, now: this.clock.now() }));
    return read();
  }

  /** What the categories stand for, and beside it what changed in the thread. */
  async listWithoutQuery(plan: QueryPlan) {
    const search = { ...plan.scope, queryVector: null, query: [] };
    const limits = listCategoryLimits(this.catalog.config, plan.topK);
    return this.database.readTenant(plan.tenantId, async (tx) => {
      const [findings, changes] = await allOf([listCategoryMemories(tx, search, limits), readChanges(tx, plan)]);
      return { findings, changes };
    });
  }

  /** The words that the answers rest on, and what they are linked to within the same filters; neither unless wanted. */
  async loadAttachments({ tenantId, body, scope }: QueryPlan, kept: readonly RankedAnswer[]): Promise<Attachments> {
    const isFull = body.return === 'full';
    if (kept.length === 0 || (!isFull && !body.include_related)) return NO_ATTACHMENTS;
    const idsOf = (kind: 'memory' | 'turn') =>
      kept.filter(({ candidate }) => candidate.kind === kind).map(({ candidate }) => candidate.id);
    const [memoryIds, messageIds] = [idsOf('memory'), idsOf('turn')];
    const search = { ...scope, queryVector: null, query: [] };
    return this.database.readTenantPipelined(tenantId, async (tx) => {
      const [quotes, linked] = await allOf([
        isFull ? loadAnswerSources(tx, { memoryIds, messageIds }) : Promise.resolve(NO_ATTACHMENTS.quotes),
        body.include_related ? findLinked(tx, search, memoryIds, RELATED_CANDIDATES) : Promise.resolve([]),
      ]);
      return { quotes, linked };
    });
  }
}

async function readChanges(tx: Tx, { body, view, threadId, scope }: QueryPlan): Promise<ThreadChanges> {
  if (threadId === null) return NO_CHANGES;
  return readThreadChanges(tx, { userId: scope.userId, threadId, since: body.since_rev ?? null, view });
}
