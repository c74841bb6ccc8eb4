import { holdsWork, lockMindSubject, renewWork, type Tx } from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import { LeaseLostError } from '../leased-job/lease-renewal.js';
import { commitWork } from '../work-job/run-work-job.js';
import type { ClaimedWork } from '../work-job/work-stage.js';
import type { MindStage } from './mind-stage.js';

/** The claim on the work of a run, and the transactions under it. */
export class MindClaim {
  constructor(
    private readonly deps: Pick<Infrastructure, 'database' | 'clock'>,
    private readonly stage: Pick<MindStage, 'definition' | 'leaseMs'>,
    private readonly work: ClaimedWork,
  ) {}

  /** First in each transaction, as in an erasure: whoever came first is waited for, and then the claim is gone or holds. */
  lock(tx: Tx): Promise<void> {
    const { subject } = this.stage.definition;
    return lockMindSubject(tx, subject === 'user' ? 'user' : 'conversation', this.work.subjectId);
  }

  /** A transaction about the subject that needs no claim. */
  inTransaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    return this.deps.database.inTenant(this.work.tenantId, async (tx) => {
      await this.lock(tx);
      return run(tx);
    });
  }

  /**
   * A transaction that another worker's claim, an erasure or a deletion refuses. The row of the work is locked last, as by
   * everybody (docs/reference/writes.md#lock-the-users-row-first): who asks for it may hold what is written here.
   * @throws LeaseLostError when it is refused; nothing is written then
   */
  write<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inTransaction(async (tx) => {
      // Erased or forgotten meanwhile: nothing may be written about it.
      if (!(await holdsWork(tx, this.work))) throw new LeaseLostError();
      const written = await run(tx);
      const { clock } = this.deps;
      const isHeld = await renewWork(tx, { ...this.work, now: clock.now(), leaseMs: this.stage.leaseMs });
      if (!isHeld) throw new LeaseLostError();
      return written;
    });
  }

  /**
   * A transaction that ends the work.
   * @throws LeaseLostError as `write`
   */
  end(run: (tx: Tx) => Promise<void>): Promise<void> {
    return commitWork(this.deps.database, this.work, async (tx) => {
      await this.lock(tx);
      await run(tx);
    });
  }
}
