import type { MindKind, MindTrigger, QueueDefinition, WorkJob } from '@annals/contracts';
import type { JobError } from '@annals/messaging';
import type { Tx } from '@annals/storage';
import type { JobAttempt } from '../leased-job/run-leased-job.js';
import type { Deferral } from '../work-job/plan-deferral.js';
import type { ClaimedWork } from '../work-job/work-stage.js';

/** What a mind knows of its subject before anything is read or costs something. */
export interface MindSubject {
  /** Whose data it is about; null when it is about nobody's. */
  readonly userId: string | null;
  /** Moves with each change of what a run would read, deletions included (docs/reference/minds.md#convergence). */
  readonly watermark: string;
  /** What made this run begin, unless somebody asked for it by hand. */
  readonly trigger: Exclude<MindTrigger, 'manual'>;
  /** Switched off for this subject: the work ends without a trace. */
  readonly isOff?: boolean;
  /** Epoch ms before which no run is due: the work waits, as `not_due`. Does not hold for a run asked for by hand. */
  readonly notBefore?: number | null;
}

/** One run of a mind. */
export interface MindRun {
  readonly id: string;
  readonly kind: MindKind;
  readonly work: ClaimedWork;
  readonly userId: string | null;
  readonly trigger: MindTrigger;
  /** Plan and count, but return no effect. */
  readonly isDryRun: boolean;
  /** Of the subject when the run began. */
  readonly watermark: string;
  /** Calls of this run that a provider received and that brought nothing. `MindCaller` counts them. */
  failedCalls: number;
}

/** Numbers by name, as they are shown with the run. */
export type MindCounts = Readonly<Record<string, number>>;

/** Why a run ends without a result. What `MindCaller.call` returns for a call without an answer is one of these. */
export type MindSetback =
  /** Nothing is wrong: the run goes on later, as the same run. */
  | { readonly outcome: 'wait'; readonly ending: Deferral }
  /**
   * Counted against the watermark: after the third failed call nothing is asked until it moves. `code` is an error type of
   * model calls, or `internal`.
   */
  | {
      readonly outcome: 'failed';
      readonly code: string;
      /** One failure is enough: nothing is asked until the watermark moves, or somebody replays the work. */
      readonly isFinal?: boolean;
    };

export type MindOutcome =
  | MindSetback
  | {
      readonly outcome: 'done';
      /** Added up over the parts of a run. */
      readonly counts: MindCounts;
      /** Numbers that say how things are now, such as what is left: those of the last part count. */
      readonly latest?: MindCounts;
      /**
       * Writes the result, in the transaction that ends the work and stores the watermark. Returns further counts. Only
       * SQL may be awaited inside. Not called in a dry run. Called once more when the connection is lost. Null: nothing
       * was written, since what the run has read holds no longer. Then no watermark is stored, and the work is asked for
       * again, behind all that the effect has locked.
       */
      readonly effect?: (tx: Tx) => Promise<MindCounts | void | null>;
      /** Records what a dry run would have written, in the place of `effect`. */
      readonly record?: (tx: Tx) => Promise<MindCounts | void>;
      /**
       * Reports what was committed, once and behind the commit: in metrics and log lines. Gets `counts` with those that the
       * effect returned in the transaction that was committed; none when the effect returned null.
       */
      readonly report?: (written: MindCounts) => void;
      /** This was a part, and the rest has to wait: the effect is written, and the same run goes on later. */
      readonly rest?: Deferral;
      /** Outcomes are awaited, so they must not look like a promise. */
      readonly then?: never;
    };

/** What one kind of mind does (docs/reference/minds.md#adding-a-mind). */
export interface MindStage<Subject extends MindSubject = MindSubject> {
  readonly definition: QueueDefinition<MindKind, WorkJob>;
  /** Duration of a claim without renewal, in ms. */
  readonly leaseMs: number;
  /**
   * Reads the subject without cost, in the transaction of the claim; null when it is gone. Read again in the
   * transaction of the effect, before and after it, for the watermark.
   */
  read(tx: Tx, subjectId: string): Promise<Subject | null>;
  /**
   * Reads, thinks and returns the effect. It writes nothing itself: what a killed or replaced run has written would stay.
   */
  run(run: MindRun, subject: Subject, attempt: JobAttempt): Promise<MindOutcome>;
  /** Classifies an error that this mind knows; undefined for all others. */
  translate?(error: unknown, attempt: JobAttempt): JobError | undefined;
}
