import { type CategoryConfig, DEFAULT_RAG_LENGTH, type RankedAnswer } from '@annals/domain';
import { DATABASE } from '@annals/runtime';
import {
  allOf,
  type CategoryLimits,
  type Database,
  DatabaseUnavailableError,
  findCandidates,
  findLinked,
  findSummarizedThread,
  listCategoryMemories,
  loadAnswerSources,
  loadExternalIds,
  loadMemoryContexts,
  type ReadSummary,
  readRecentActivity,
  readSummaries,
  readThreadChanges,
  type CandidateSearchResult,
  type RecallSearch,
  reindexPage,
  type ThreadChanges,
  type Tx,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { MAX_CATEGORY_MEMORIES, type QueryPlan } from './plan-query.js';
import { listsRecentActivity, NO_ACTIVITY, RECENT_ACTIVITY, type RecentActivity } from './recent-activity.js';
import { type Attachments, RELATED_CANDIDATES } from './render-answer.js';

const NO_CHANGES: ThreadChanges = { revision: 0, changes: [], omitted: 0 };

const NO_ATTACHMENTS: Attachments = { externalIds: new Map(), quotes: new Map(), contexts: new Map(), linked: [] };

type CategoryMemories = Pick<CandidateSearchResult, 'candidates' | 'sources'>;

interface QueryFindings {
  readonly findings: CandidateSearchResult;
  /** Memories of the categories in mode `all`, which belong to the response whatever the query is about. */
  readonly coreMemories: CategoryMemories;
  readonly changes: ThreadChanges;
}

/** A rendered line has more tokens than this: category, a few words and a day. */
const MIN_TOKENS_PER_LINE = 8;

/** Steps of a missing index that a query waits for; the rest of a large one is left to the job `lexical_index`. */
const MAX_INDEXED_PAGES = 4;

/** The database reads of memory.query. While a connection is held, only SQL is awaited. */
@Injectable()
export class QueryReads {
  private readonly database: Database;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
  ) {
    this.database = database.forPath('recall');
  }

  /** The candidates of a query, and concurrently its core memories and the changes in the thread. */
  async find(plan: QueryPlan, search: RecallSearch): Promise<QueryFindings> {
    const { tenantId } = plan;
    const read = () =>
      this.database.readTenant(tenantId, async (tx) => {
        const [findings, coreMemories, changes] = await allOf([
          findCandidates(tx, search),
          listCoreMemories(tx, plan, this.catalog.config),
          readChanges(tx, plan),
        ]);
        return { findings, coreMemories, changes };
      });
    const found = await read();
    if (!found.findings.isUnindexed) return found;
    const { userId } = search;
    try {
      for (let page = 0; page < MAX_INDEXED_PAGES; page += 1) {
        const { state } = await this.database.inTenant(tenantId, (tx) => reindexPage(tx, { userId }));
        if (state !== 'under_way') break;
      }
    } catch (error) {
      // What was found without an index is an answer, also of a database that accepts no writes.
      if (error instanceof DatabaseUnavailableError) return found;
      throw error;
    }
    return read();
  }

  /** The memories of each category's context mode, and concurrently the changes in the thread. */
  async listWithoutQuery(plan: QueryPlan) {
    const search = { ...plan.scope, queryVector: null, query: [] };
    const limits = listCategoryLimits(this.catalog.config, plan.topK);
    return this.database.readTenant(plan.tenantId, async (tx) => {
      const [findings, changes, activity] = await allOf([
        listCategoryMemories(tx, search, limits),
        readChanges(tx, plan),
        readActivity(tx, plan, limits.limits.get(RECENT_ACTIVITY) ?? 0),
      ]);
      return { findings, changes, activity };
    });
  }

  /** The stored summary of the plan's thread, if the caller may read the conversation. Of an earlier time there is none. */
  async loadSummary({ tenantId, threadId, scope, summaryAgentId }: QueryPlan): Promise<ReadSummary | null> {
    if (threadId === null || scope.asOf !== null || scope.knownAt !== null) return null;
    return this.database.readTenant(tenantId, async (tx) => {
      const thread = await findSummarizedThread(tx, scope.userId, threadId);
      if (!thread || summaryAgentId === 'nobody') return null;
      if (summaryAgentId !== null && thread.agentId !== summaryAgentId.id) return null;
      const [summary] = await readSummaries(tx, thread.conversationId, { tier: 'L3', withTombstones: false, limit: 1 });
      return summary ?? null;
    });
  }

  /** Related memories are within the filters of the results. Quotes, contexts and relations only if the request wants them. */
  async loadAttachments(
    { tenantId, body, scope }: QueryPlan,
    { answers, core }: { readonly answers: readonly RankedAnswer[]; readonly core: readonly RankedAnswer[] },
    sources: CandidateSearchResult['sources'],
  ): Promise<Attachments> {
    const served = [...core, ...answers];
    if (served.length === 0) return NO_ATTACHMENTS;
    const isFull = body.return === 'full';
    const idsOf = (kind: 'memory' | 'turn', of: readonly RankedAnswer[]) =>
      of.filter(({ candidate }) => candidate.kind === kind).map(({ candidate }) => candidate.id);
    const [memoryIds, messageIds] = [idsOf('memory', served), idsOf('turn', served)];
    const sourceIds = served
      .flatMap(({ candidate }) => sources.get(candidate.id) ?? [])
      .map((source) => source.messageId);
    const search = { ...scope, queryVector: null, query: [] };
    return this.database.readTenantPipelined(tenantId, async (tx) => {
      const [externalIds, quotes, contexts, linked] = await allOf([
        loadExternalIds(tx, sourceIds),
        isFull ? loadAnswerSources(tx, { memoryIds, messageIds }) : Promise.resolve(NO_ATTACHMENTS.quotes),
        isFull ? loadMemoryContexts(tx, memoryIds) : Promise.resolve(NO_ATTACHMENTS.contexts),
        body.include_related
          ? findLinked(tx, search, idsOf('memory', answers), RELATED_CANDIDATES)
          : Promise.resolve([]),
      ]);
      const inCore = new Set(core.map(({ candidate }) => candidate.id));
      return { externalIds, quotes, contexts, linked: linked.filter(({ id }) => !inCore.has(id)) };
    });
  }
}

async function readActivity(tx: Tx, plan: QueryPlan, ragLength: number): Promise<RecentActivity> {
  const limit = Math.min(ragLength, plan.topK);
  if (limit === 0 || !listsRecentActivity(plan)) return NO_ACTIVITY;
  const { userId, now, filters } = plan.scope;
  const query = { userId, agentId: plan.boundAgentId, threadId: filters.thread_id ?? null, now, limit };
  const entries = await readRecentActivity(tx, query);
  const messageIds = entries.flatMap((entry) =>
    entry.type === 'turn' ? [entry.id] : entry.sentences.flatMap((sentence) => sentence.messageIds),
  );
  return { entries, externalIds: messageIds.length === 0 ? new Map() : await loadExternalIds(tx, messageIds) };
}

async function readChanges(tx: Tx, { body, view, threadId, scope }: QueryPlan): Promise<ThreadChanges> {
  if (threadId === null) return NO_CHANGES;
  return readThreadChanges(tx, { userId: scope.userId, threadId, since: body.since_rev ?? null, view });
}

/**
 * The same filters as for the search apply. None for a client that has them in its prompt already, as an agent that asks
 * on demand does.
 */
function listCoreMemories(
  tx: Tx,
  { scope, view, body }: QueryPlan,
  { categories }: CategoryConfig,
): Promise<CategoryMemories> {
  const names = categories
    .filter(({ name, context }) => context === 'all' && (view.categories?.includes(name) ?? true))
    .map(({ name }) => name);
  const isWanted = body.core && body.purpose !== 'recall';
  if (names.length === 0 || !isWanted) return Promise.resolve({ candidates: [], sources: new Map() });
  const limit = Math.min(MAX_CATEGORY_MEMORIES, Math.ceil(body.budget_tokens / MIN_TOKENS_PER_LINE));
  const search = { ...scope, categories: names, queryVector: null, query: [] };
  return listCategoryMemories(tx, search, {
    limits: new Map(names.map((name) => [name, limit])),
    otherLimit: 0,
    limit,
  });
}

/** Memories of each category (docs/reference/categories-and-agents.md#context-modes), `limit` with the mode `all`. */
function listCategoryLimits({ categories }: CategoryConfig, limit: number): CategoryLimits {
  const whole = categories.filter(({ context }) => context === 'all').map(({ name }) => [name, limit] as const);
  const searched = categories.flatMap((category) =>
    category.context === 'rag' ? [[category.name, category.ragLength] as const] : [],
  );
  return { limits: new Map([...whole, ...searched]), otherLimit: DEFAULT_RAG_LENGTH, limit };
}
