import { isMindKind, type WorkJob } from '@annals/contracts';
import { type JobContext, type JobOutcome, JobWorker } from '@annals/messaging';
import { claimWork, deferWork, endWork, releaseWork, renewWork, type Database, type Tx } from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import { ConcurrencySlots, type WithoutSlot } from '../leased-job/concurrency-slots.js';
import { LeaseLostError } from '../leased-job/lease-renewal.js';
import { type LeasedJobDependencies, runLeasedJob } from '../leased-job/run-leased-job.js';
import { endFailedWork } from './end-failed-work.js';
import type { ClaimedWork, WorkStage } from './work-stage.js';

/**
 * The consumer of the queue of one kind of work. A job that is exhausted fails its work, which can be replayed. `slots`:
 * those that it shares with other kinds, instead of its own.
 */
export function createWorkWorker<Input>(
  infrastructure: Infrastructure,
  stage: WorkStage<Input>,
  slots = new ConcurrencySlots(stage.definition.concurrency),
): JobWorker<WorkJob> {
  const { definition } = stage;
  const { queueBackend, clock, rng, logger, metrics, relay } = infrastructure;
  return new JobWorker<WorkJob>({
    definition,
    backend: queueBackend,
    handler: async (job, context) => {
      const outcome = await slots.run((withoutSlot) => runWorkJob(infrastructure, stage, job, context, withoutSlot));
      // The work has left the queue, so other work of its tenant may be released. Nobody waits for that of minds: a
      // round of the relay after each of their jobs would take the database as much time as some of the jobs.
      if (isMindKind(definition.name)) relay.kickLater();
      else relay.kick();
      return outcome;
    },
    onExhausted: (job, { jobError }) => endFailedWork(infrastructure, definition.name, job, jobError),
    clock,
    rng,
    logger,
    metrics,
  });
}

/** Runs one job under the claim of its work, and writes a deferral. */
export function runWorkJob<Input>(
  deps: LeasedJobDependencies,
  stage: WorkStage<Input>,
  job: WorkJob,
  context: JobContext,
  withoutSlot: WithoutSlot,
): Promise<JobOutcome> {
  const { database, clock } = deps;
  const { leaseMs } = stage;
  const { tenantId, subjectId, generation } = job;
  const { name: kind } = stage.definition;
  return runLeasedJob<ClaimedWork, Input>(
    deps,
    {
      tenantId,
      leaseMs,
      async claim(tx) {
        const claim = await claimWork(tx, { kind, subjectId, generation, now: clock.now(), leaseMs });
        if (claim.outcome !== 'claimed') return claim;
        const { id, fence, attempts } = claim;
        return { outcome: 'claimed', claimed: { ...job, id, fence, attempts } };
      },
      load: (tx) => stage.load(tx, subjectId),
      renew: (tx, work) => renewWork(tx, { ...work, now: clock.now(), leaseMs }),
      release: (tx, work) => releaseWork(tx, { ...work, now: clock.now() }),
      async run(work, input, attempt) {
        const ending = await stage.run(work, input, attempt);
        if (ending.ends !== 'deferred') return ending;
        const isHeld = await database.inTenant(tenantId, (tx) => deferWork(tx, { ...work, ...ending }));
        return isHeld ? ending : { ends: 'superseded' };
      },
      translate: (error, attempt) => stage.translate(error, attempt),
    },
    context,
    withoutSlot,
  );
}

/**
 * Commits the effect of claimed work and its end in one transaction. Work that was asked for again during the run, or by
 * the effect itself, waits for its next run.
 * @throws LeaseLostError when another worker has it now; nothing is written then
 */
export function commitWork<Result>(
  database: Pick<Database, 'inTenant'>,
  work: ClaimedWork,
  effect: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return database.inTenant(work.tenantId, async (tx) => {
    const result = await effect(tx);
    if ((await endWork(tx, work)) === 'lost') throw new LeaseLostError();
    return result;
  });
}
