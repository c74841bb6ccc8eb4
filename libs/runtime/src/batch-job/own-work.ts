import { Semaphore } from 'async-mutex';

/** Waits for what others do, while the job's place is free for another job. */
export type Aside = <T>(wait: () => Promise<T>) => Promise<T>;

// Who comes back goes before who begins: an answer that is there is paid for, and its job is nearly over.
const BEGINS = 0;
const COMES_BACK = 1;

/**
 * Places for jobs that have work for this process itself. Far fewer are needed than jobs are under way, most of which
 * wait for a model; and a few at a time end one after another, where all of them at once would share the thread and all
 * end late.
 */
export class OwnWork {
  private readonly places: Semaphore;

  constructor(places: number) {
    this.places = new Semaphore(places);
  }

  /** Runs `job` once there is a place for it, in the order in which they come. */
  async run<T>(job: (aside: Aside) => Promise<T>): Promise<T> {
    let [, release] = await this.places.acquire(1, BEGINS);
    // A job may wait for several things side by side: its place is free until the last of them is there.
    let waits = 0;
    const aside: Aside = async (wait) => {
      waits += 1;
      if (waits === 1) release();
      try {
        return await wait();
      } finally {
        waits -= 1;
        if (waits === 0) [, release] = await this.places.acquire(1, COMES_BACK);
      }
    };
    try {
      return await job(aside);
    } finally {
      release();
    }
  }
}
