import { Semaphore } from 'async-mutex';

/** Waits for something outside this process, while another job uses the slot. */
export type WithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>;

// A resumed job precedes a new one: the response it waited for is paid for, and it is nearly done.
const NEW_JOB_PRIORITY = 0;
const RESUMED_JOB_PRIORITY = 1;

/**
 * Slots for jobs that use the CPU of this process. Far fewer slots are needed than jobs are running, since most jobs
 * wait for a model; and a few jobs at a time end one after another, where all of them concurrently would share the
 * thread and all end late.
 */
export class ConcurrencySlots {
  private readonly slots: Semaphore;

  constructor(slots: number) {
    this.slots = new Semaphore(slots);
  }

  /** Runs `job` once a slot is free, in the order of the calls. */
  async run<T>(job: (withoutSlot: WithoutSlot) => Promise<T>): Promise<T> {
    let [, release] = await this.slots.acquire(1, NEW_JOB_PRIORITY);
    // A job may wait for several things concurrently: its slot is free until the last of them is done.
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
