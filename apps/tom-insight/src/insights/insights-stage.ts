import { insightsQueue } from '@annals/contracts';
import { INSIGHT_INTERVAL_MS } from '@annals/domain';
import { type Infrastructure, type MindCaller, type MindStage, type MindSubject, randomBytes } from '@annals/runtime';
import {
  areInsightsOn,
  type InsightSubject,
  loadInsightSources,
  readInsightSubject,
  readLastMindRun,
  writeInsights,
} from '@annals/storage';
import { inferInsights } from './infer-insights.js';

export interface InsightsDependencies extends Pick<
  Infrastructure,
  'database' | 'clock' | 'ids' | 'metrics' | 'logger'
> {
  /** Null: no model is configured, and insights are found by rules. */
  readonly caller: MindCaller | null;
}

export interface InsightsOptions {
  readonly leaseMs: number;
  /** `ANNALS_INSIGHTS`. */
  readonly isOnByDefault: boolean;
}

interface InsightMindSubject extends MindSubject, Pick<InsightSubject, 'names'> {
  readonly userId: string;
  /** End of the last run, epoch ms; null before the first one. */
  readonly lastRunAt: number | null;
}

const OUTCOMES = ['created', 'superseded', 'quarantined', 'known', 'groundless'] as const;

/**
 * Infers what a person's messages and memories suggest beyond what they say (docs/reference/insights.md): once after a
 * batch was written, at most once a day. What is read and asked for is decided by rules before any model is called.
 */
export function createInsightsStage(
  dependencies: InsightsDependencies,
  { leaseMs, isOnByDefault }: InsightsOptions,
): MindStage<InsightMindSubject> {
  const { database, clock, ids, caller, metrics, logger } = dependencies;
  return {
    definition: insightsQueue,
    leaseMs,
    async read(tx, subjectId) {
      const subject = await readInsightSubject(tx, subjectId);
      if (!subject) return null;
      const { isOn, ...known } = subject;
      const lastRunAt = await readLastMindRun(tx, { kind: 'insights', subjectId });
      const notBefore = lastRunAt === null ? null : lastRunAt + INSIGHT_INTERVAL_MS;
      return { ...known, trigger: 'batch', isOff: !(isOn ?? isOnByDefault), lastRunAt, notBefore };
    },
    async run(run, { userId, names, lastRunAt }, attempt) {
      const { tenantId, subjectId } = run.work;
      const sources = await database.readTenant(tenantId, (tx) => loadInsightSources(tx, { userId, since: lastRunAt }));
      const inferred = await inferInsights({ ...sources, user: { id: userId, names } }, run, caller, attempt);
      if (inferred.outcome !== 'inferred') return inferred;
      const { provider, model, drafted, insights, read } = inferred;
      const refused = drafted - insights.length;
      const { messages, memories } = sources;
      metrics.add('memory_llm_insights_total', refused, { outcome: 'refused' });
      return {
        outcome: 'done',
        counts: { messages: messages.length, memories: memories.length, drafted, refused },
        // Without an insight there is nothing to write, and nothing that could have changed meanwhile.
        ...(insights.length === 0
          ? {}
          : {
              async effect(tx) {
                // Switched off during the run.
                if (!(await areInsightsOn(tx, userId, isOnByDefault))) return {};
                const { agentId } = sources;
                const write = { userId, runId: run.id, agentId, names, insights, read, provider, model };
                const counts = await writeInsights(tx, write, { clock, ids, randomBytes });
                for (const outcome of OUTCOMES) metrics.add('memory_llm_insights_total', counts[outcome], { outcome });
                logger.info('insights_inferred', { tenantId, subjectId, runId: run.id, ...counts });
                return { ...counts };
              },
            }),
      };
    },
  };
}
