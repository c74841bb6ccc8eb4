import { Semaphore } from 'async-mutex';

/** Waits for what others do, while the job's slot is free for another job. */
export type WithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>;

// Who comes back goes before who begins: an answer that is there is paid for, and its job is nearly over.
const NEW_JOB_PRIORITY = 0;
const RESUMED_JOB_PRIORITY = 1;

/**
 * Slots for jobs that have work for this process itself. Far fewer are needed than jobs are under way, most of which
 * wait for a model; and a few at a time end one after another, where all of them at once would share the thread and all
 * end late.
 */
export class ConcurrencySlots {
  private readonly slots: Semaphore;

  constructor(slots: number) {
    this.slots = new Semaphore(slots);
  }

  /** Runs `job` once there is a slot for it, in the order in which they come. */
  async run<T>(job: (withoutSlot: WithoutSlot) => Promise<T>): Promise<T> {
    let [, release] = await this.slots.acquire(1, NEW_JOB_PRIORITY);
    // A job may wait for several things side by side: its slot is free until the last of them is there.
    let waits = 0;
    const withoutSlot: WithoutSlot = async (wait) => {
      waits += 1;
      if (waits === 1) release();
      try {
        return await wait();
      } finally {
        waits -= 1;
        if (waits === 0) [, release] = await this.slots.acquire(1, RESUMED_JOB_PRIORITY);
      }
    };
    try {
      return await job(withoutSlot);
    } finally {
      release();
    }
  }
}
