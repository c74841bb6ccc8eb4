import type { MemoryQueryAnswer, routes } from '@annals/contracts';
import {
  analyzeQuery,
  type CategoryView,
  type Clock,
  type Pause,
  type RankedAnswer,
  renderDocuments,
  runInSlices,
  type ScoredCandidate,
  scoreRelevance,
} from '@annals/domain';
import type { TokenCounter } from '@annals/llm-core';
import type { Metrics } from '@annals/observability';
import { CLOCK, CONFIG, METRICS, PAUSE } from '@annals/runtime';
import type { CandidateSearchResult } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { type Bindings, tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { TextEmbedder } from '../embedding/text-embedder.js';
import { EventLog } from '../events/event-log.js';
import type { Call } from '../http/call.js';
import { parseMentions } from '../redaction/parse-mentions.js';
import { AccessLog } from './access-log.js';
import { explainQuery, type QueryTrace } from './explain-query.js';
import { fitToBudget, renderLines, type Selection } from './fit-to-budget.js';
import { KnownCosts } from './known-costs.js';
import { PhaseTimes } from './phase-times.js';
import { planQuery, type QueryPlan } from './plan-query.js';
import { EMPTY_PROMPT, leaveRoomFor, type PromptContent, withoutPrompt } from './prompt-content.js';
import { QueryReads } from './query-reads.js';
import { QueryReranker, type RerankAttempt } from './query-reranker.js';
import { listMostRelevant, rankAnswers } from './rank-answers.js';
import { NO_ACTIVITY, RECENT_ACTIVITY, type RecentActivity, renderRecentActivity } from './recent-activity.js';
import { renderSummary } from '../threads/render-summary.js';
import { addRelated, type ChangesHeader, renderChangesHeader, toBullet, toHit } from './render-answer.js';

/** The `TokenCounter` for o200k tokens; its table is loaded when the process starts. */
export const TOKEN_COUNTER = Symbol('TokenCounter');

type QueryResult = Omit<QueryTrace, 'plan' | 'timingsMs' | 'header'> & {
  readonly sources: CandidateSearchResult['sources'];
  readonly changesHeader: ChangesHeader;
  readonly revision: number;
  readonly degraded: boolean;
  /** Only without a query. */
  readonly activity: RecentActivity;
};

const NO_CORE = { coreCandidates: [], core: { kept: [], dropped: [], tokens: 0 } satisfies Selection };

/** What matches a query, or without one the memories of each category's context mode. */
@Injectable()
export class MemoryQueryService {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
    @Inject(TOKEN_COUNTER) private readonly countTokens: TokenCounter,
    @Inject(TextEmbedder) private readonly embedder: TextEmbedder,
    @Inject(QueryReranker) private readonly reranker: QueryReranker,
    @Inject(QueryReads) private readonly reads: QueryReads,
    @Inject(KnownCosts) private readonly costs: KnownCosts,
    @Inject(AccessLog) private readonly accesses: AccessLog,
    @Inject(EventLog) private readonly events: EventLog,
    @Inject(PAUSE) private readonly pause: Pause,
  ) {}

  /** `prompt`: what the caller's prompt has already. */
  async answer(call: Call<typeof routes.queryMemory>, prompt: PromptContent = EMPTY_PROMPT) {
    const startedMs = performance.now();
    const plan = leaveRoomFor(prompt, this.plan(call));
    const times = new PhaseTimes(this.metrics);
    const { found, answer } = await times.time('total', async () => {
      const { query } = plan;
      const selected = await (query === null
        ? this.listWithoutQuery(plan, times)
        : this.recall(plan, query, prompt, times));
      return { found: selected, answer: await this.render(plan, selected, times) };
    });
    this.record(plan, found, answer, performance.now() - startedMs);
    if (!plan.body.explain) return answer;
    const header = found.changesHeader.status;
    return { ...answer, explain: explainQuery({ ...found, plan, header, timingsMs: times.ms }) };
  }

  private plan({ body, caller, access, redactor }: Call<typeof routes.queryMemory>): QueryPlan {
    const { user_id: userId } = body.filters;
    const named = access.view!;
    // With both `categories` and a filter by category, the latter narrows the former; all of them have to be allowed.
    const view = body.categories && named.categories ? { ...named, categories: body.categories } : named;
    const mentions = parseMentions(body.filters.mentions, 'body.filters.mentions', redactor);
    const agentId = caller.bindings.agentId ?? body.agent ?? null;
    return planQuery({
      tenantId: tenantOf(caller),
      userId,
      body,
      query: body.query === undefined ? (mentions?.join(' ') ?? null) : redactor.redact(body.query),
      mentions,
      view,
      boundAgentId: caller.bindings.agentId,
      summaryAgentId: findSummaryAgent(caller.bindings, agentId, named),
      visibleCategories: this.catalog.visibleCategories({ ...caller.bindings, agentId }),
      insights: { isOnByDefault: this.config.insights.isOnByDefault, agentId },
      model: this.embedder.model,
      now: this.clock.now(),
    });
  }

  private async recall(plan: QueryPlan, query: string, prompt: PromptContent, times: PhaseTimes): Promise<QueryResult> {
    const embedding = await times.time('embed', () => this.embedder.embedQuery(plan.tenantId, query));
    const embeddingFailed = 'reason' in embedding ? embedding.reason : null;
    if (embeddingFailed !== null) this.metrics.inc('memory_llm_query_degraded_total', { reason: embeddingFailed });
    // Turns are found by words alone, so the placeholders that one has to contain are words of the query too.
    const text = [query, ...(plan.scope.mentions ?? [])].join(' ');
    const terms = analyzeQuery(text, { now: plan.scope.now });
    const queryVector = 'vector' in embedding ? embedding.vector : null;
    const { redundancy } = this.embedder;
    const {
      findings: found,
      coreMemories,
      changes,
    } = await times.time('candidates', () =>
      this.reads.find(plan, { ...plan.scope, queryVector, query: terms, withVectors: redundancy !== null }),
    );
    const findings = withoutPrompt(found, prompt);
    const scored = scoreRelevance(findings.candidates, { profile: this.embedder.profile });
    const changesHeader = renderChangesHeader(changes, plan, this.countTokens);
    const { reranked, rerankFailed } = await this.rerank(plan, query, scored, times);
    const { selection, core } = await times.time('rank', () =>
      runInSlices(
        rankAnswers(scored, plan, {
          weights: this.config.recall,
          categories: this.catalog.config,
          redundancy,
          core: coreMemories.candidates,
          countTokens: this.countTokens,
          costs: this.costs,
          reservedTokens: changesHeader.tokens,
          reranked,
        }),
        this.pause,
      ),
    );
    return {
      ...findings,
      sources: new Map([...coreMemories.sources, ...findings.sources]),
      coreCandidates: coreMemories.candidates,
      core,
      terms,
      scored,
      selection,
      embedding: { model: this.embedder.model, failed: embeddingFailed },
      reranker: this.reranker.model === null ? null : { model: this.reranker.model, failed: rerankFailed },
      changesHeader,
      revision: changes.revision,
      degraded: embeddingFailed !== null || rerankFailed !== null,
      activity: NO_ACTIVITY,
    };
  }

  private async listWithoutQuery(plan: QueryPlan, times: PhaseTimes): Promise<QueryResult> {
    const { findings, changes, activity } = await times.time('candidates', () => this.reads.listWithoutQuery(plan));
    const changesHeader = renderChangesHeader(changes, plan, this.countTokens);
    const lines = await runInSlices(renderLines(findings.candidates, this.countTokens), this.pause);
    const { topK, body } = plan;
    const selection = fitToBudget(lines, { topK, budgetTokens: body.budget_tokens - changesHeader.tokens });
    const notSearched = { ...NO_CORE, terms: [], scored: [], embedding: null, reranker: null, degraded: false };
    return { ...findings, ...notSearched, selection, changesHeader, revision: changes.revision, activity };
  }

  /** Outside of any transaction: it may call a model (docs/reference/isolation.md#no-waiting-inside-a-transaction). */
  private async rerank(plan: QueryPlan, query: string, scored: readonly ScoredCandidate[], times: PhaseTimes) {
    const best = listMostRelevant(scored, this.reranker.candidates);
    if (best.length === 0) return { reranked: null, rerankFailed: null };
    const documents = await runInSlices(renderDocuments(best), this.pause);
    const attempt: RerankAttempt = await times.time('rerank', () =>
      this.reranker.rerank(plan.tenantId, query, documents),
    );
    if ('scores' in attempt) {
      return { reranked: new Map(best.map(({ id }, index) => [id, attempt.scores[index]!])), rerankFailed: null };
    }
    this.metrics.inc('memory_llm_query_degraded_total', { reason: attempt.reason });
    return { reranked: null, rerankFailed: attempt.reason };
  }

  private async render(
    plan: QueryPlan,
    { selection, core, sources, changesHeader, revision, degraded, activity }: QueryResult,
    times: PhaseTimes,
  ): Promise<MemoryQueryAnswer> {
    const { kept } = selection;
    const [attachments, summary] = await times.time('load', () =>
      Promise.all([
        this.reads.loadAttachments(plan, { answers: kept, core: core.kept }, sources),
        plan.body.include?.includes('summary') ? this.renderSummary(plan) : undefined,
      ]),
    );
    const listed = changesHeader.tokens + selection.tokens + core.tokens;
    const recent = renderRecentActivity(activity, plan.scope.userId, {
      budgetTokens: plan.body.budget_tokens - listed,
      countTokens: this.countTokens,
    });
    const used = listed + recent.tokens;
    const { related, tokens } = addRelated(attachments.linked, plan.body.budget_tokens - used, this.countTokens);
    const toItem = (answer: RankedAnswer) => {
      const bullet = toBullet(answer, sources.get(answer.candidate.id) ?? [], attachments);
      return plan.body.return === 'full' ? toHit(answer, bullet, attachments) : bullet;
    };
    return {
      ...(changesHeader.header === null ? {} : { header: changesHeader.header }),
      core: core.kept.map(toItem),
      memories: [...kept.map(toItem), ...recent.bullets.slice(0, plan.topK - kept.length)],
      ...(summary === undefined ? {} : { summary }),
      related,
      tokens: used + tokens,
      revision,
      degraded,
    };
  }

  private async renderSummary(plan: QueryPlan): Promise<MemoryQueryAnswer['summary']> {
    const summary = await this.reads.loadSummary(plan);
    if (!summary) return null;
    const text = renderSummary(summary);
    return {
      id: summary.id,
      thread_id: plan.threadId!,
      text,
      as_of_seq: summary.toSeq,
      provider: summary.provider,
      tokens: this.countTokens(text),
    };
  }

  /** Records accesses, event and metrics, without delaying the response. */
  private record(
    plan: QueryPlan,
    { candidates }: QueryResult,
    { memories, related }: MemoryQueryAnswer,
    tookMs: number,
  ): void {
    const { tenantId, threadId, scope, body } = plan;
    // Core memories are in every response, whatever is asked: being served is no sign that one is needed. Global memories
    // do not expire, and all users would write to the row of one.
    const read = [
      ...memories.filter(({ type, category }) => type !== 'turn' && category !== RECENT_ACTIVITY),
      ...related,
    ]
      .filter((each) => each.scope === 'user')
      .map(({ id }) => id);
    this.accesses.record(tenantId, read);
    this.metrics.inc('memory_llm_queries_total', { purpose: body.purpose });
    if (body.purpose === 'recall') this.metrics.observe('memory_llm_recall_duration_ms', tookMs);
    const cosines = candidates.flatMap(({ cosine }) => cosine ?? []);
    this.events.record(tenantId, {
      userId: scope.userId,
      threadId,
      ...(body.purpose === 'recall' ? { node: 'hotpath', op: 'recall' } : { node: 'context', op: 'search' }),
      status: memories.length === 0 ? 'skipped' : 'ok',
      category: plan.view.categories?.length === 1 ? plan.view.categories[0]! : null,
      sim: cosines.length === 0 ? null : Math.max(...cosines),
    });
  }
}

/** See {@link QueryPlan.summaryAgentId}. A limited agent sees the summaries of conversations that it began. */
function findSummaryAgent(
  bindings: Bindings,
  agentId: string | null,
  { categories }: CategoryView,
): QueryPlan['summaryAgentId'] {
  if (bindings.categories !== null) return 'nobody';
  const isLimited = agentId !== null && (bindings.agentId !== null || categories !== null);
  return isLimited ? { id: agentId } : null;
}
