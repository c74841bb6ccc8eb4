import type { JsonValue } from '@annals/domain';
import {
  type Database,
  expireProposals,
  pruneCheckpoints,
  pruneOldLangGraphCheckpoints,
  purgeDryRuns,
  purgeEvents,
  purgeIdempotencyKeys,
  purgeWebhookDeliveries,
} from '@annals/storage';
import { randomBytes } from '../../infrastructure/process-context.js';
import {
  type MaintenanceJob,
  type MaintenanceProgress,
  type MaintenanceRun,
  startTimeBudget,
} from '../maintenance-job.js';
import type { LifecycleDependencies } from './lifecycle-jobs.js';
import { repeat } from './repeat.js';

const MINUTE_MS = 60 * 1_000;
const HOUR_MS = 60 * MINUTE_MS;

const CHECKPOINT_BATCH_SIZE = 200;
const EVENT_BATCH_SIZE = 1_000;
const PROPOSAL_BATCH_SIZE = 200;
const DELIVERY_BATCH_SIZE = 1_000;

/** See docs/reference/api.md#idempotency-key. */
const IDEMPOTENCY_RETENTION_MS = 24 * HOUR_MS;

/**
 * Deletes checkpoint versions that are older than `keepMs` and have a later one
 * (docs/reference/checkpoints.md#versions-of-a-checkpoint).
 */
export function createCheckpointJob({ keepMs }: { readonly keepMs: number }): MaintenanceJob {
  return {
    name: 'checkpoint_versions',
    intervalMs: HOUR_MS,
    run: (run) => pruneVersions(run, keepMs, pruneCheckpoints),
  };
}

/**
 * Deletes checkpoints of LangGraph that are older than `keepMs`, except those that a later one needs
 * (docs/reference/langgraph.md#retention).
 */
export function createLangGraphJob({ keepMs }: { readonly keepMs: number }): MaintenanceJob {
  return {
    name: 'langgraph_checkpoints',
    intervalMs: HOUR_MS,
    run: (run) => pruneVersions(run, keepMs, pruneOldLangGraphCheckpoints),
  };
}

/** Deletes old versions in a window of all tenants, and says where the next window begins. */
type Prune<Cursor> = (
  database: Database,
  window: { before: number; limit: number; cursor: Cursor | null },
) => Promise<{ versions: number; cursor: Cursor | null; problem?: unknown }>;

async function pruneVersions<Cursor>(
  run: MaintenanceRun,
  keepMs: number,
  prune: Prune<Cursor>,
): Promise<MaintenanceProgress> {
  const shouldContinue = startTimeBudget(run);
  let cursor = run.cursor as Cursor | null;
  let done = 0;
  let problem: unknown;
  do {
    const before = run.clock.now() - keepMs;
    const pruned = await prune(run.database, { before, limit: CHECKPOINT_BATCH_SIZE, cursor });
    done += pruned.versions;
    problem ??= pruned.problem;
    cursor = pruned.cursor;
  } while (cursor !== null && shouldContinue());
  return { done, cursor: cursor as JsonValue | null, problem };
}

/** Deletes dry runs that nobody waits for any more. */
export function createDryRunJob(): MaintenanceJob {
  return {
    name: 'dry_runs',
    intervalMs: MINUTE_MS,
    run: async ({ database, clock }) => ({ done: await purgeDryRuns(database, clock.now()), cursor: null }),
  };
}

/** Deletes responses that were stored under an Idempotency-Key after a day. */
export function createIdempotencyJob(): MaintenanceJob {
  return {
    name: 'idempotency_keys',
    intervalMs: 10 * MINUTE_MS,
    run: async ({ database, clock }) => ({
      done: await purgeIdempotencyKeys(database, clock.now() - IDEMPOTENCY_RETENTION_MS),
      cursor: null,
    }),
  };
}

/** How long events are retained, and the time between two runs; in ms. */
export interface EventRetention {
  readonly eventsRetentionMs: number;
  readonly intervalMs: number;
}

/** Deletes events after their retention. History and change log are not touched. */
export function createEventsJob({ eventsRetentionMs, intervalMs }: EventRetention): MaintenanceJob {
  return {
    name: 'events',
    intervalMs,
    run: (run) => {
      const before = run.clock.now() - eventsRetentionMs;
      return repeat(run, async () => {
        const done = await purgeEvents(run.database, before, EVENT_BATCH_SIZE);
        return { done, isComplete: done < EVENT_BATCH_SIZE };
      });
    },
  };
}

/** Deletes deliveries of webhooks that are older than `keepMs`, whatever became of them. */
export function createWebhookJob({ keepMs }: { readonly keepMs: number }): MaintenanceJob {
  return {
    name: 'webhook_deliveries',
    intervalMs: HOUR_MS,
    run: (run) => {
      const before = run.clock.now() - keepMs;
      return repeat(run, async () => {
        const done = await purgeWebhookDeliveries(run.database, before, DELIVERY_BATCH_SIZE);
        return { done, isComplete: done < DELIVERY_BATCH_SIZE };
      });
    },
  };
}

/**
 * Expires proposals that were not answered within a week (docs/reference/consent.md#proposals-expire-after-7-days).
 */
export function createProposalJob({
  ids,
  retention,
}: Pick<LifecycleDependencies, 'ids' | 'retention'>): MaintenanceJob {
  return {
    name: 'context_proposals',
    intervalMs: retention.intervalMs,
    run: (run) =>
      repeat(run, async (shouldContinue) => {
        const limits = { limit: PROPOSAL_BATCH_SIZE, shouldContinue };
        const { ended, isComplete } = await expireProposals(run.database, limits, {
          clock: run.clock,
          ids,
          randomBytes,
        });
        return { done: ended, isComplete };
      }),
  };
}
