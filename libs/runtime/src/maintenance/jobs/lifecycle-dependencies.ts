import { type Clock, type IdGenerator } from '@annals/domain';
import type { Metrics } from '@annals/observability';
import type { WriteDependencies } from '@annals/storage';
import { randomBytes } from '../../infrastructure/random-bytes.js';

/** When memories are deleted and how long they can be restored; in ms. */
interface RetentionRules {
  readonly ttlMs: number;
  /** Importance, 1–5, from which on a memory does not expire. */
  readonly minRetainedImportance: number;
  readonly purgeAfterMs: number;
  /** Between two passes. */
  readonly intervalMs: number;
}

export interface LifecycleDependencies {
  readonly ids: IdGenerator;
  readonly metrics: Metrics;
  readonly retention: RetentionRules;
}

export function toWriteDependencies(clock: Clock, { ids, retention }: LifecycleDependencies): WriteDependencies {
  return { clock, ids, randomBytes, purgeAfterMs: retention.purgeAfterMs };
}
