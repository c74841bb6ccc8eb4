import type { Rng } from '@annals/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { Askers } from './ask.ts';
import { type Book, ERASED_USER, type Fate } from './book.ts';
import type { Caller } from './caller.ts';
import { Changers } from './change.ts';
import { CheckpointThread } from './checkpoints.ts';
import { pick, pickWeighted } from './pick.ts';
import type { Tenant } from './population.ts';
import { Speakers } from './say.ts';

/** How often each is done, in relation to the others. */
const OPERATIONS = {
  say: 40,
  repeat: 5,
  restate: 3,
  askContext: 16,
  askInForeignWords: 10,
  askEarlier: 6,
  askByBoundKey: 6,
  saveCheckpoint: 8,
  correct: 3,
  delete: 3,
} as const;
type Operation = keyof typeof OPERATIONS;

const FATES: Readonly<Record<Exclude<Fate, 'erased'>, number>> = { kept: 88, corrected: 6, deleted: 6 };
const CHECKPOINT_THREADS = 2;
/** Requests under way: more are put off, so that an outage does not pile them up without end. */
const MOST_AT_ONCE = 200;
/** What somebody says who is erased later. */
const POSTS_OF_ERASED = 4;

export interface LoadOptions {
  readonly tenants: readonly Tenant[];
  readonly book: Book;
  readonly caller: Caller;
  readonly rng: Rng;
  readonly perSecond: number;
  /** Time between two people who are erased. */
  readonly eraseEveryMs: number;
}

/** Requests of all kinds at a steady rate that does not depend on the answers, until `stop`. */
export class MixedLoad {
  private readonly changers: Changers;
  private readonly operations: Readonly<Record<Operation, (tenant: Tenant) => Promise<unknown>>>;
  private readonly checkpoints: readonly (readonly CheckpointThread[])[];
  private readonly running = new Set<Promise<unknown>>();
  private readonly errors: unknown[] = [];
  private readonly speakers: Speakers;
  private readonly options: LoadOptions;
  private readonly loops: Promise<unknown>;
  private isStopped = false;

  constructor(options: LoadOptions) {
    const { tenants, book, caller, rng } = options;
    this.options = options;
    this.speakers = new Speakers(book, caller, rng);
    const askers = new Askers(book, caller, rng);
    this.changers = new Changers(book, caller, askers, rng);
    this.checkpoints = tenants.map((tenant) =>
      Array.from({ length: CHECKPOINT_THREADS }, (_, n) => new CheckpointThread(tenant, `state-${n}`, book, caller)),
    );
    this.operations = {
      say: (tenant) => this.speakers.say(tenant, pick(rng, tenant.users)!, pickWeighted(rng, FATES)),
      repeat: () => this.speakers.repeat(),
      restate: (tenant) => this.speakers.restate(tenant),
      askContext: (tenant) => askers.askContext(tenant),
      askInForeignWords: (tenant) => askers.askInForeignWords(tenant),
      askEarlier: (tenant) => askers.askEarlier(tenant),
      askByBoundKey: (tenant) => askers.askByBoundKey(tenant),
      saveCheckpoint: async (tenant) => pick(rng, this.checkpoints[tenant.index]!)?.step(),
      correct: (tenant) => this.changers.change(tenant, 'corrected'),
      delete: (tenant) => this.changers.change(tenant, 'deleted'),
    };
    this.loops = Promise.all([this.keepRate(), this.erasePeople()]);
    // `stop` rejects with this error.
    this.loops.catch(() => undefined);
  }

  /** Lets every request be answered, which may take until everything runs again. Throws the first error. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.loops;
    await Promise.all(this.running);
    if (this.errors.length > 0)
      throw new Error(`${this.errors.length} requests went wrong.`, { cause: this.errors[0] });
  }

  /** Changes what is left to be changed; needs all memories. */
  finishChanges(): Promise<void> {
    return this.changers.changeAll(this.options.tenants);
  }

  async checkCheckpoints(): Promise<void> {
    for (const thread of this.checkpoints.flat()) await thread.check();
  }

  private async keepRate(): Promise<void> {
    const { tenants, rng, perSecond, book } = this.options;
    const startedMs = performance.now();
    for (let index = 0; !this.isStopped; index += 1) {
      const waitMs = startedMs + (index * 1_000) / perSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      // Decided in any case, so that the same seed leads to the same requests.
      const tenant = pick(rng, tenants)!;
      const operation = pickWeighted(rng, OPERATIONS);
      if (this.running.size >= MOST_AT_ONCE) book.count('requests left out because too many were waiting');
      else this.track(this.operations[operation](tenant));
    }
  }

  /** People who say something, and are erased before all of it is remembered. */
  private async erasePeople(): Promise<void> {
    const { tenants, eraseEveryMs } = this.options;
    for (let index = 0; !this.isStopped; index += 1) {
      const tenant = tenants[index % tenants.length]!;
      const userId = `${ERASED_USER}${index}`;
      for (let post = 0; post < POSTS_OF_ERASED; post += 1) await this.speakers.say(tenant, userId, 'erased');
      await this.changers.erase(tenant, userId);
      for (let waited = 0; waited < eraseEveryMs && !this.isStopped; waited += 100) await sleep(100);
    }
  }

  private track(work: Promise<unknown>): void {
    const tracked: Promise<unknown> = work
      .catch((error: unknown) => this.errors.push(error))
      .finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }
}
