import type { WorkKindOf } from '@annals/contracts';
import type { LLMError } from '@annals/llm-core';
import {
  type ClaimedWork,
  commitWork,
  type Infrastructure,
  isTextRefusal,
  planDeferral,
  type WorkEnding,
} from '@annals/runtime';
import { enqueueWork, type Tx } from '@annals/storage';

type EndingDependencies = Pick<Infrastructure, 'database' | 'clock' | 'ids' | 'rng' | 'logger'>;

/** What a run did before the error of a call ended it. */
interface RunBefore {
  readonly kind: WorkKindOf<'user'>;
  /** Vectors that it has added. */
  readonly added: number;
  /** Whether there may be texts that were not tried. */
  readonly mayHaveMore: boolean;
}

/**
 * Ends a run on vectors whose model has answered with an error: it goes on when some texts were refused and others were not,
 * waits for what time can mend, and else fails. @throws `problem` for work that fails
 */
export async function endWithProblem(
  { database, clock, ids, rng, logger }: EndingDependencies,
  work: ClaimedWork,
  problem: LLMError,
  { kind, added, mayHaveMore }: RunBefore,
): Promise<WorkEnding> {
  const now = clock.now();
  if (isTextRefusal(problem) && added > 0 && mayHaveMore) {
    // What was refused is refused again by the next run, which fails the work when it adds nothing any more.
    await commitWork(database, work, (tx) => askAgain(tx, work, kind, { now, ids }));
    return { ends: 'done' };
  }
  const { tenantId, subjectId, attempts } = work;
  const deferral = planDeferral(problem, { attempts, now, rng });
  if (!deferral) throw problem;
  logger.info('work_deferred', { tenantId, kind, subjectId, reason: deferral.reason });
  return deferral;
}

/** Asks for another run on the same user, at once or from `availableAt` (epoch ms). */
export function askAgain(
  tx: Tx,
  { subjectId }: ClaimedWork,
  kind: WorkKindOf<'user'>,
  { now, ids, availableAt = now }: Parameters<typeof enqueueWork>[2] & { readonly availableAt?: number },
): Promise<number> {
  return enqueueWork(tx, [{ kind, subjectId, availableAt, trace: null }], { now, ids });
}
