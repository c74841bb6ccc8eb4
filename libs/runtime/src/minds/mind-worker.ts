import type { WorkJob } from '@annals/contracts';
import { countMindFailure, decideMindRun, MAX_MIND_FAILURES, type MindWatermark } from '@annals/domain';
import { type JobWorker, PermanentJobError } from '@annals/messaging';
import {
  allOf,
  beginMindRun,
  endLostMindRuns,
  endMindRun,
  enqueueWork,
  holdsWork,
  isTransientDatabaseError,
  lockMindSubject,
  type MindRunEnd,
  type OpenMindRun,
  readMindRun,
  readMindWatermark,
  readOpenMindRun,
  renewWork,
  storeMindWatermark,
  type Tx,
} from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { ConcurrencySlots } from '../leased-job/concurrency-slots.js';
import { LeaseLostError } from '../leased-job/lease-renewal.js';
import { isStoreOutage, type JobAttempt } from '../leased-job/run-leased-job.js';
import { planOutage } from '../work-job/plan-deferral.js';
import { commitWork, createWorkWorker } from '../work-job/run-work-job.js';
import type { ClaimedWork, WorkEnding, WorkStage } from '../work-job/work-stage.js';
import type { MindCounts, MindOutcome, MindRun, MindStage, MindSubject } from './mind-stage.js';

export type MindDependencies = Pick<Infrastructure, 'database' | 'clock' | 'ids' | 'rng' | 'logger' | 'metrics'>;

/** Read under the claim. */
interface LoadedSubject<Subject> {
  readonly subject: Subject | null;
  readonly stored: MindWatermark | null;
  readonly open: OpenMindRun | null;
}

/** The consumer of the queue of one mind, in the slots that all minds of the process share. */
export function createMindWorker<Subject extends MindSubject>(
  infrastructure: Infrastructure,
  stage: MindStage<Subject>,
  slots: ConcurrencySlots,
): JobWorker<WorkJob> {
  return createWorkWorker(infrastructure, createMindWorkStage(infrastructure, stage), slots);
}

/**
 * A mind as a stage of work: decides by the watermark whether there is anything to think about before the mind is asked,
 * records the run, and commits effect, watermark, record and end of the work in one transaction
 * (docs/reference/minds.md#runs). A killed run leaves no effect or the whole one.
 */
export function createMindWorkStage<Subject extends MindSubject>(
  deps: MindDependencies,
  stage: MindStage<Subject>,
): WorkStage<LoadedSubject<Subject>> {
  const kind = stage.definition.name;
  return {
    definition: stage.definition,
    leaseMs: stage.leaseMs,
    async load(tx, subjectId) {
      const [subject, stored, open] = await allOf([
        stage.read(tx, subjectId),
        readMindWatermark(tx, kind, subjectId),
        readOpenMindRun(tx, kind, subjectId),
      ]);
      return { subject, stored, open };
    },
    run: (work, loaded, attempt) => new MindExecution(deps, stage, work, loaded, attempt).run(),
    translate: (error, attempt) => stage.translate?.(error, attempt),
  };
}

class MindExecution<Subject extends MindSubject> {
  constructor(
    private readonly deps: MindDependencies,
    private readonly stage: MindStage<Subject>,
    private readonly work: ClaimedWork,
    private readonly loaded: LoadedSubject<Subject>,
    private readonly attempt: JobAttempt,
  ) {}

  async run(): Promise<WorkEnding> {
    const { subject, stored, open } = this.loaded;
    if (!subject || subject.isOff) return this.sleep();
    const decision = decideMindRun(subject.watermark, stored);
    if (!decision.run) return decision.reason === 'failed' ? this.stayFailed() : this.sleep();
    const now = this.deps.clock.now();
    if (open?.trigger !== 'manual' && (subject.notBefore ?? 0) > now) {
      return this.defer({ ends: 'deferred', reason: 'not_due', until: subject.notBefore! });
    }
    const run = await this.begin(subject, now);
    const startedMs = this.deps.clock.monotonicNow();
    const [ending, state] = await this.tryThink(run, subject);
    this.report(run, state, this.deps.clock.monotonicNow() - startedMs);
    if (ending instanceof Error) throw ending;
    return ending;
  }

  /** Ends the work without a run. One that was asked for by hand, or has lost its worker, ends with it. */
  private async sleep(): Promise<WorkEnding> {
    await commitWork(this.deps.database, this.work, async (tx) => {
      await this.endOpen(tx, 'unchanged');
      await this.askForOpen(tx);
    });
    this.deps.metrics.inc('memory_llm_mind_runs_total', { kind: this.kind, state: 'unchanged' });
    return { ends: 'done' };
  }

  /** Leaves the work as it was, failed and visible, until its watermark moves or somebody replays it. */
  private async stayFailed(): Promise<never> {
    await this.underClaim((tx) => this.endOpen(tx, 'failed', TOO_MANY_FAILURES));
    throw new PermanentJobError(TOO_MANY_FAILURES);
  }

  private async endOpen(tx: Tx, state: EndState, failureCode?: string): Promise<void> {
    const { open, subject } = this.loaded;
    const now = this.deps.clock.now();
    await this.lock(tx);
    if (!open) return endLostMindRuns(tx, { kind: this.kind, subjectId: this.work.subjectId, now }, null);
    const id = await beginMindRun(tx, this.startOf(subject, now), open);
    const failure = failureCode === undefined ? {} : { failureCode };
    await endMindRun(tx, { id, state, watermark: subject?.watermark ?? null, counts: {}, ...failure, endedAt: now });
  }

  private get kind() {
    return this.stage.definition.name;
  }

  private startOf(subject: Subject | null, startedAt: number) {
    const { kind, work, deps, loaded } = this;
    const { trigger, isDryRun } = loaded.open ?? { trigger: subject?.trigger ?? 'schedule', isDryRun: false };
    const userId = subject?.userId ?? null;
    return { id: deps.ids.next(), kind, subjectId: work.subjectId, userId, trigger, isDryRun, startedAt } as const;
  }

  private async begin(subject: Subject, startedAt: number): Promise<MindRun> {
    const start = this.startOf(subject, startedAt);
    const id = await this.underClaim((tx) => beginMindRun(tx, start, this.loaded.open));
    const { kind, work } = this;
    const { userId, trigger, isDryRun } = start;
    return { id, kind, work, userId, trigger, isDryRun, watermark: subject.watermark, failedCalls: 0 };
  }

  private async tryThink(run: MindRun, subject: Subject): Promise<[WorkEnding | Error, EndState]> {
    try {
      return await this.think(run, subject);
    } catch (error) {
      // An outage or a shutdown says nothing about the subject. The next attempt of the job decides by what was counted.
      const isOurs = !(error instanceof LeaseLostError || this.attempt.signal.aborted || isStoreOutage(error));
      if (isOurs || run.failedCalls > 0) await this.countFailures(run, 'internal').catch(() => undefined);
      throw error;
    }
  }

  private async think(run: MindRun, subject: Subject): Promise<[WorkEnding | Error, EndState]> {
    const outcome = await this.stage.run(run, subject, this.attempt);
    this.attempt.signal.throwIfAborted();
    switch (outcome.outcome) {
      case 'wait':
        return [await this.wait(run, outcome.ending), 'deferred'];
      case 'failed':
        return this.fail(run, outcome);
      case 'done':
        return outcome.rest
          ? [await this.writePart(run, outcome, outcome.rest), 'deferred']
          : [await this.complete(run, outcome), 'done'];
    }
  }

  private async complete(run: MindRun, done: Done): Promise<WorkEnding> {
    await this.tryTwice(() =>
      commitWork(this.deps.database, this.work, async (tx) => {
        await this.lock(tx);
        const seen = await this.write(tx, run, done);
        // A dry run has seen, but changed nothing: the next run is to do what it planned.
        if (!run.isDryRun) await this.store(tx, { watermark: seen.watermark, failures: 0 });
        await this.end(tx, run, 'done', { ...done, counts: seen.counts });
        if (seen.isVoid) await this.askAgain(tx);
        await this.askForOpen(tx);
      }),
    );
    done.report?.();
    return { ends: 'done' };
  }

  /**
   * Models were paid for what is written, so a lost connection does not end the attempt. A commit that is not known to
   * have succeeded is not repeated: the work has ended with it, or its part is recorded.
   */
  private async tryTwice(write: (isAgain: boolean) => Promise<void>): Promise<void> {
    try {
      await write(false);
    } catch (error) {
      if (!isTransientDatabaseError(error) || this.attempt.signal.aborted) throw error;
      await write(true);
    }
  }

  /** Another run that was asked for, or that waits, is not left behind by the end of the work. */
  private async askForOpen(tx: Tx): Promise<void> {
    if (await readOpenMindRun(tx, this.kind, this.work.subjectId)) await this.askAgain(tx);
  }

  private async askAgain(tx: Tx): Promise<void> {
    const { kind, deps } = this;
    const now = deps.clock.now();
    const request = { kind, subjectId: this.work.subjectId, availableAt: now, trace: null };
    await enqueueWork(tx, [request], { now, ids: deps.ids });
  }

  private async writePart(run: MindRun, done: Done, rest: NonNullable<Done['rest']>): Promise<WorkEnding> {
    await this.tryTwice((isAgain) =>
      this.underClaim(async (tx) => {
        if (isAgain && (await readMindRun(tx, run.id))?.state !== 'running') return;
        const seen = await this.write(tx, run, done);
        await this.store(tx, { watermark: null, failures: 0 });
        await this.end(tx, run, 'deferred', { ...done, counts: seen.counts });
      }),
    );
    done.report?.();
    return this.defer(rest);
  }

  /**
   * Writes the effect. The watermark that it returns covers the run's own writes, unless somebody else has written since
   * the subject was read: then it is the old one, and the next run sees what this one has not.
   */
  private async write(
    tx: Tx,
    run: MindRun,
    { counts: thought, effect, record }: Done,
  ): Promise<{ counts: MindCounts; watermark: string | null; isVoid?: true }> {
    const { stage, work } = this;
    if (run.isDryRun) return { counts: { ...thought, ...(await record?.(tx)) }, watermark: run.watermark };
    if (!effect) return { counts: thought, watermark: run.watermark };
    const before = await stage.read(tx, work.subjectId);
    // Erased or forgotten meanwhile: the end of the work is lost as well.
    if (!before) throw new LeaseLostError();
    const written = await effect(tx);
    if (written === null) return { counts: {}, watermark: null, isVoid: true };
    const after = await stage.read(tx, work.subjectId);
    const isUndisturbed = before.watermark === run.watermark;
    return {
      counts: { ...thought, ...written },
      watermark: isUndisturbed ? (after ?? before).watermark : run.watermark,
    };
  }

  private async wait(run: MindRun, ending: Extract<MindOutcome, { outcome: 'wait' }>['ending']): Promise<WorkEnding> {
    await this.underClaim(async (tx) => {
      if (run.failedCalls > 0) await this.store(tx, this.withFailures(run));
      await this.end(tx, run, 'deferred');
    });
    return this.defer(ending);
  }

  /** Waits for another attempt, or for the watermark: then the work has failed, visibly, until it is asked for again. */
  private async fail(run: MindRun, { code, isFinal }: Failure): Promise<[WorkEnding | Error, EndState]> {
    const { failures, state } = await this.countFailures(run, code, isFinal);
    if (failures >= MAX_MIND_FAILURES) return [new PermanentJobError(code), state];
    const { clock, rng } = this.deps;
    return [this.defer(planOutage({ attempts: this.work.attempts, now: clock.now(), rng })), state];
  }

  /**
   * A run by hand waits until the last failure, so that the next attempt is the run that was asked for: under the id that
   * its caller knows, and a dry run still.
   */
  private async countFailures(
    run: MindRun,
    code: string,
    isFinal = false,
  ): Promise<{ failures: number; state: EndState }> {
    const counted = this.withFailures(run);
    const failures = isFinal ? Math.max(MAX_MIND_FAILURES, counted.failures) : counted.failures;
    const state = run.trigger === 'manual' && failures < MAX_MIND_FAILURES ? 'deferred' : 'failed';
    await this.underClaim(async (tx) => {
      await this.store(tx, { ...counted, failures });
      await this.end(tx, run, state, NO_COUNTS, code);
    });
    return { failures, state };
  }

  /** One failure for each failed call, and at least one for a run that failed. */
  private withFailures(run: MindRun): MindWatermark {
    let counted = this.loaded.stored;
    for (let call = 0; call < Math.max(1, run.failedCalls); call += 1)
      counted = countMindFailure(run.watermark, counted);
    return counted!;
  }

  private store(tx: Tx, { watermark, failures }: MindWatermark): Promise<void> {
    const { kind, work, deps } = this;
    return storeMindWatermark(tx, { kind, subjectId: work.subjectId, watermark, failures, now: deps.clock.now() });
  }

  private end(
    tx: Tx,
    run: MindRun,
    state: EndState,
    { counts, latest = {} }: Pick<Done, 'counts' | 'latest'> = NO_COUNTS,
    failureCode?: string,
  ): Promise<void> {
    const code = failureCode === undefined ? {} : { failureCode };
    return endMindRun(tx, {
      id: run.id,
      state,
      watermark: run.watermark,
      counts,
      latest,
      ...code,
      endedAt: this.deps.clock.now(),
    });
  }

  private defer(ending: Extract<WorkEnding, { ends: 'deferred' }>): WorkEnding {
    const { tenantId, subjectId } = this.work;
    const { kind } = this;
    const { reason } = ending;
    this.deps.metrics.inc('memory_llm_mind_waits_total', { kind, reason });
    this.deps.logger.info('work_deferred', { tenantId, kind, subjectId, reason });
    return ending;
  }

  /**
   * A transaction that another worker's claim, an erasure or a deletion refuses. The row of the work is locked last, as by
   * everybody (docs/reference/writes.md#lock-the-users-row-first): who asks for it may hold what is written here.
   */
  private underClaim<T>(write: (tx: Tx) => Promise<T>): Promise<T> {
    const { database, clock } = this.deps;
    return database.inTenant(this.work.tenantId, async (tx) => {
      await this.lock(tx);
      // Erased or forgotten meanwhile: nothing may be written about it.
      if (!(await holdsWork(tx, this.work))) throw new LeaseLostError();
      const written = await write(tx);
      const isHeld = await renewWork(tx, { ...this.work, now: clock.now(), leaseMs: this.stage.leaseMs });
      if (!isHeld) throw new LeaseLostError();
      return written;
    });
  }

  /** First in each transaction, as in an erasure: whoever came first is waited for, and then the claim is gone or holds. */
  private lock(tx: Tx): Promise<void> {
    const { subject } = this.stage.definition;
    return lockMindSubject(tx, subject === 'user' ? 'user' : 'conversation', this.work.subjectId);
  }

  private report(run: MindRun, state: EndState, durationMs: number): void {
    const { metrics, logger } = this.deps;
    const { kind, work } = this;
    metrics.inc('memory_llm_mind_runs_total', { kind, state });
    const { tenantId, subjectId } = work;
    logger.info('mind_run_ended', { tenantId, kind, subjectId, runId: run.id, state, durationMs });
  }
}

const TOO_MANY_FAILURES = 'too_many_failures';
const NO_COUNTS = { counts: {} };

type EndState = MindRunEnd['state'];
type Done = Extract<MindOutcome, { outcome: 'done' }>;
type Failure = Extract<MindOutcome, { outcome: 'failed' }>;
