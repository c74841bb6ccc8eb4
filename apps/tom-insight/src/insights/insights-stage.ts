import { insightsQueue } from '@annals/contracts';
import { INSIGHT_INTERVAL_MS } from '@annals/domain';
import { type Infrastructure, type MindCaller, type MindStage, type MindSubject, randomBytes } from '@annals/runtime';
import {
  areInsightsOn,
  type InsightSubject,
  loadInsightSources,
  readCoveredSeq,
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
  /** Number of the last change in the person's history that the last run saw; null before the first one. */
  readonly seenSeq: string | null;
}

const OUTCOMES = ['created', 'superseded', 'quarantined', 'known', 'groundless', 'refused'] as const;
type Outcome = (typeof OUTCOMES)[number];

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
      const last = await readLastMindRun(tx, { kind: 'insights', subjectId });
      const notBefore = last && last.endedAt + INSIGHT_INTERVAL_MS;
      const seenSeq = readCoveredSeq(last?.watermark ?? null);
      return { ...known, trigger: 'batch', isOff: !(isOn ?? isOnByDefault), seenSeq, notBefore };
    },
    async run(run, { userId, names, seenSeq }, attempt) {
      const { tenantId, subjectId } = run.work;
      const scope = { userId, sinceSeq: seenSeq };
      const sources = await database.readTenant(tenantId, (tx) => loadInsightSources(tx, scope));
      const inferred = await inferInsights({ ...sources, user: { id: userId, names } }, run, caller, attempt);
      if (inferred.outcome !== 'inferred') return inferred;
      const { provider, model, drafted, insights, read } = inferred;
      const refused = drafted - insights.length;
      const { messages, memories } = sources;
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
                return { ...(await writeInsights(tx, write, { clock, ids, randomBytes })) };
              },
            }),
        report(written) {
          const counted = (outcome: Outcome) => written[outcome] ?? 0;
          for (const outcome of OUTCOMES) metrics.add('memory_llm_insights_total', counted(outcome), { outcome });
          // Nothing was to be written.
          if (written['created'] === undefined) return;
          logger.info('insights_inferred', {
            tenantId,
            subjectId,
            runId: run.id,
            created: counted('created'),
            superseded: counted('superseded'),
            quarantined: counted('quarantined'),
            known: counted('known'),
            groundless: counted('groundless'),
            context: written['context'] ?? 0,
          });
        },
      };
    },
  };
}
