import type { MemoryQuery, MemoryQueryAnswer, routes } from '@annals/contracts';
import { analyzeTerms, type Clock, fitBudget } from '@annals/domain';
import type { EmbeddingProvider, TokenCounter } from '@annals/llm-core';
import type { Metrics } from '@annals/observability';
import { CLOCK, CONFIG, DATABASE, METRICS } from '@annals/runtime';
import { type Database, loadAnswerSources, type MemorySearch, searchMemories, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AgentCatalog } from '../auth/agent-catalog.js';
import { bindUser } from '../auth/check-bindings.js';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { QueryEmbedder } from '../embedding/query-embedder.js';
import { EMBEDDER } from '../embedding/tokens.js';
import type { Call } from '../http/call.js';
import { redactWritten } from '../http/redact-written.js';
import { rankCandidates } from './rank-candidates.js';
import { TOKEN_COUNTER } from './tokens.js';
import { renderText, toBullet, toHit } from './render-answer.js';

/** Candidates of each kind that are ranked; more than are returned, so that ranking has something to choose from. */
const MIN_CANDIDATES = 50;

type QueryPhase = 'embed' | 'candidates' | 'rank' | 'load' | 'total';

/** `memory.query`: from a question to the memories that bear on it. No model is asked on the way. */
@Injectable()
export class MemoryQueryService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(AgentCatalog) private readonly catalog: AgentCatalog,
    @Inject(EMBEDDER) private readonly provider: EmbeddingProvider,
    @Inject(TOKEN_COUNTER) private readonly countTokens: TokenCounter,
    @Inject(QueryEmbedder) private readonly embedder: QueryEmbedder,
  ) {}

  async answer({ body, caller }: Call<typeof routes.queryMemory>): Promise<MemoryQueryAnswer> {
    const userId = bindUser(caller.bindings, body.filters.user_id);
    const categories = this.catalog.resolveCategories(body, caller.bindings);
    const query = redactWritten(body.query, this.config);
    return this.timed('total', async () => {
      const embedding = await this.timed('embed', () => this.embedder.embedQuery(tenantOf(caller), query));
      const degraded = 'reason' in embedding;
      if (degraded) this.metrics.inc('memory_llm_query_degraded_total', { reason: embedding.reason });
      const search: MemorySearch = {
        userId,
        queryVector: degraded ? null : embedding.vector,
        model: this.provider.model,
        terms: [...analyzeTerms(query).terms.keys()],
        filters: body.filters,
        categories,
        types: body.types ?? null,
        asOf: body.as_of ?? null,
        knownAt: body.known_at ?? null,
        now: this.clock.now(),
        limit: Math.max(MIN_CANDIDATES, body.top_k),
      };
      const found = await this.database.readTenant(tenantOf(caller), (tx) => this.find(tx, search, body));
      return { ...found, degraded };
    });
  }

  private async find(tx: Tx, search: MemorySearch, body: MemoryQuery): Promise<Omit<MemoryQueryAnswer, 'degraded'>> {
    const result = await this.timed('candidates', () => searchMemories(tx, search));
    const startedMs = performance.now();
    const { profile } = this.provider;
    const ranked = rankCandidates(result, { profile, threshold: body.threshold ?? 0, topK: body.top_k });
    const { items, tokens } = fitBudget(ranked.map(renderText), body.budget_tokens, this.countTokens);
    this.observe('rank', startedMs);
    const ids = items.map(({ candidate }) => candidate.id);
    const sources = await this.timed('load', () => loadAnswerSources(tx, ids));
    const render = body.return === 'full' ? toHit : toBullet;
    const memories = items.map((item) => render(item, sources.get(item.candidate.id) ?? []));
    return { memories, tokens, revision: result.revision };
  }

  private async timed<T>(phase: QueryPhase, work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      this.observe(phase, startedMs);
    }
  }

  private observe(phase: QueryPhase, startedMs: number): void {
    this.metrics.observe('memory_llm_query_duration_ms', performance.now() - startedMs, { phase });
  }
}
