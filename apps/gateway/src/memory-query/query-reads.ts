import { type CategoryConfig, type Clock, DEFAULT_RAG_LENGTH, type RankedAnswer } from '@annals/domain';
import { CLOCK, DATABASE } from '@annals/runtime';
import {
  allOf,
  type CategoryLimits,
  type Database,
  findCandidates,
  findLinked,
  listCategoryMemories,
  loadAnswerSources,
  loadExternalIds,
  loadMemoryContexts,
  readThreadChanges,
  type CandidateSearchResult,
  type RecallSearch,
  reindexUser,
  type ThreadChanges,
  type Tx,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import type { QueryPlan } from './plan-query.js';
import { type Attachments, RELATED_CANDIDATES } from './render-answer.js';

const NO_CHANGES: ThreadChanges = { revision: 0, changes: [], omitted: 0 };

const NO_ATTACHMENTS: Attachments = { externalIds: new Map(), quotes: new Map(), contexts: new Map(), linked: [] };

/** The database reads of memory.query. While a connection is held, only SQL is awaited. */
@Injectable()
export class QueryReads {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
  ) {}

  /** The candidates of a query, and concurrently the changes in the thread. */
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

  /** The memories of each category's context mode, and concurrently the changes in the thread. */
  async listWithoutQuery(plan: QueryPlan) {
    const search = { ...plan.scope, queryVector: null, query: [] };
    const limits = listCategoryLimits(this.catalog.config, plan.topK);
    return this.database.readTenant(plan.tenantId, async (tx) => {
      const [findings, changes] = await allOf([listCategoryMemories(tx, search, limits), readChanges(tx, plan)]);
      return { findings, changes };
    });
  }

  /** Related memories are within the filters of the results. Quotes, contexts and relations only if the request wants them. */
  async loadAttachments(
    { tenantId, body, scope }: QueryPlan,
    kept: readonly RankedAnswer[],
    sources: CandidateSearchResult['sources'],
  ): Promise<Attachments> {
    if (kept.length === 0) return NO_ATTACHMENTS;
    const isFull = body.return === 'full';
    const idsOf = (kind: 'memory' | 'turn') =>
      kept.filter(({ candidate }) => candidate.kind === kind).map(({ candidate }) => candidate.id);
    const [memoryIds, messageIds] = [idsOf('memory'), idsOf('turn')];
    const sourceIds = kept
      .flatMap(({ candidate }) => sources.get(candidate.id) ?? [])
      .map((source) => source.messageId);
    const search = { ...scope, queryVector: null, query: [] };
    return this.database.readTenantPipelined(tenantId, async (tx) => {
      const [externalIds, quotes, contexts, linked] = await allOf([
        loadExternalIds(tx, sourceIds),
        isFull ? loadAnswerSources(tx, { memoryIds, messageIds }) : Promise.resolve(NO_ATTACHMENTS.quotes),
        isFull ? loadMemoryContexts(tx, memoryIds) : Promise.resolve(NO_ATTACHMENTS.contexts),
        body.include_related ? findLinked(tx, search, memoryIds, RELATED_CANDIDATES) : Promise.resolve([]),
      ]);
      return { externalIds, quotes, contexts, linked };
    });
  }
}

async function readChanges(tx: Tx, { body, view, threadId, scope }: QueryPlan): Promise<ThreadChanges> {
  if (threadId === null) return NO_CHANGES;
  return readThreadChanges(tx, { userId: scope.userId, threadId, since: body.since_rev ?? null, view });
}

/** Memories of each category (docs/reference/categories-and-agents.md#context-modes), `limit` with the mode `all`. */
function listCategoryLimits({ categories }: CategoryConfig, limit: number): CategoryLimits {
  const whole = categories.filter(({ context }) => context === 'all').map(({ name }) => [name, limit] as const);
  const searched = categories.flatMap((category) =>
    category.context === 'rag' ? [[category.name, category.ragLength] as const] : [],
  );
  return { limits: new Map([...whole, ...searched]), otherLimit: DEFAULT_RAG_LENGTH, limit };
}
