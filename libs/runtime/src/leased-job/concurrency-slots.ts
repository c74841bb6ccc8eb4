import type { Clock } from '@annals/domain';
import { Semaphore } from 'async-mutex';

/** Waits for something outside this process, while another job uses the slot. */
export type WithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>;

// A resumed job precedes a new one: the response it waited for is paid for, and it is nearly done.
const NEW_JOB_PRIORITY = 0;
const RESUMED_JOB_PRIORITY = 1;

/** A rest of one slot ends after this time, in ms, so that a shutdown need not wait for long. */
const MAX_REST_MS = 2_000;

/** How much of the time a slot is used at most. */
export interface SlotShare {
  /** Of the time, 1 to 100. */
  readonly percent: number;
  readonly clock: Pick<Clock, 'monotonicNow' | 'startTimer'>;
}

/**
 * Slots for jobs that use the CPU of this process. Far fewer slots are needed than jobs are running, since most jobs
 * wait for a model; and a few jobs at a time end one after another, where all of them concurrently would share the
 * thread and all end late. With a share, a slot rests after each use, for as long as its share asks for: its jobs leave
 * the rest of the time to others, on this process's thread and in the database, however many of them wait.
 */
export class ConcurrencySlots {
  private readonly slots: Semaphore;

  constructor(
    slots: number,
    private readonly share?: SlotShare,
  ) {
    this.slots = new Semaphore(slots);
  }

  /** Runs `job` once a slot is free, in the order of the calls. */
  async run<T>(job: (withoutSlot: WithoutSlot) => Promise<T>): Promise<T> {
    let release = await this.acquire(NEW_JOB_PRIORITY);
    // A job may wait for several things concurrently: its slot is free until the last of them is done.
    let waits = 0;
    const withoutSlot: WithoutSlot = async (wait) => {
      waits += 1;
      if (waits === 1) release();
      try {
        return await wait();
      } finally {
        waits -= 1;
        if (waits === 0) release = await this.acquire(RESUMED_JOB_PRIORITY);
      }
    };
    try {
      return await job(withoutSlot);
    } finally {
      release();
    }
  }

  private async acquire(priority: number): Promise<() => void> {
    const [, release] = await this.slots.acquire(1, priority);
    if (!this.share || this.share.percent >= 100) return release;
    const { clock, percent } = this.share;
    const startedMs = clock.monotonicNow();
    return () => {
      const usedMs = clock.monotonicNow() - startedMs;
      const restMs = Math.min(MAX_REST_MS, usedMs * (100 / percent - 1));
      if (restMs > 0) clock.startTimer(restMs, release);
      else release();
    };
  }
}
