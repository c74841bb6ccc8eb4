import { isFinalBatchState } from '@annals/contracts';
import { SeededRng } from '@annals/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, UnexpectedAnswer } from '../client/api-client.js';
import { sized } from '../run/test-size.js';
import type { Expectations } from './invariants.js';
import { factContent, makePost, type Post } from './synthetic-conversations.js';

export interface LoadGeneratorOptions {
  readonly seed: number;
  /** Concurrent callers; default 4. */
  readonly callers?: number;
  readonly users?: number;
  /** Different facts per user: the fewer, the more often the same fact is posted concurrently. */
  readonly factsPerUser?: number;
  /** Pause of a caller between two posts, in ms. */
  readonly pauseMs?: number;
  /** Unfinished batches per caller, so that the backlog does not depend on the machine's speed. Default: 12, in a soak run 50. */
  readonly maxUnfinished?: number;
  /**
   * How long a caller with that many waits for its oldest batch before it posts again all the same, in ms: otherwise no
   * caller would meet an outage in which no batch ends. Default: 3 s.
   */
  readonly patienceMs?: number;
  /** Distinguishes this load from others on the same system. */
  readonly name?: string;
}

const FACTS_PER_POST = 3;
const RETRY_MS = 100;

/** Callers that post conversations until `stop`, and send a post again when it gets no response. */
export class LoadGenerator {
  /** In the order of acceptance. */
  readonly batchIds: string[] = [];
  readonly contents = new Map<string, Set<string>>();
  posts = 0;
  /** Posts that had to be sent again. */
  retries = 0;
  private stopped = false;
  private readonly rng: SeededRng;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly client: ApiClient,
    private readonly options: LoadGeneratorOptions,
  ) {
    this.rng = new SeededRng(options.seed);
    const callers = Array.from({ length: options.callers ?? 4 }, () => this.postUntilStopped());
    this.running = Promise.all(callers);
    // `stop` rejects with this error.
    this.running.catch(() => undefined);
  }

  /** Lets every caller finish its post, which may take until the API is available again. */
  async stop(): Promise<Expectations> {
    this.stopped = true;
    await this.running;
    return { batchIds: this.batchIds, contents: this.contents };
  }

  private async postUntilStopped(): Promise<void> {
    const { pauseMs = 100, maxUnfinished = sized(12, 50), patienceMs = 3_000 } = this.options;
    const unfinished: string[] = [];
    while (!this.stopped) {
      unfinished.push(...(await this.postOnce()));
      await sleep(pauseMs);
      while (!this.stopped && unfinished.length >= maxUnfinished)
        await this.waitForBatch(unfinished.shift()!, performance.now() + patienceMs);
    }
  }

  private async waitForBatch(id: string, deadlineMs: number): Promise<void> {
    while (!this.stopped && performance.now() < deadlineMs) {
      if (await this.hasEnded(id).catch(() => false)) return;
      await sleep(RETRY_MS);
    }
  }

  private async hasEnded(id: string): Promise<boolean> {
    const { status } = await this.client.must('getBatch', { params: { id } });
    return isFinalBatchState(status);
  }

  private async postOnce(): Promise<readonly string[]> {
    const { users = 8, factsPerUser = 40, name = 'load' } = this.options;
    const userId = `${name}-user-${this.randomInt(users)}`;
    const facts = Array.from({ length: FACTS_PER_POST }, () => this.randomInt(factsPerUser));
    const post = makePost(facts, { userId, threadId: `${name}-thread-${this.posts++}` });
    const batchIds = await this.sendUntilAccepted(post);
    this.batchIds.push(...batchIds);
    const posted = this.contents.get(userId) ?? new Set();
    for (const fact of facts) posted.add(factContent(fact));
    this.contents.set(userId, posted);
    return batchIds;
  }

  /** A post without a response may have been stored; its message ids make it safe to send it again. */
  private async sendUntilAccepted(post: Post): Promise<string[]> {
    for (;;) {
      try {
        return (await this.client.must('postConversation', { body: post })).batch_ids;
      } catch (error) {
        if (error instanceof UnexpectedAnswer && error.answer.status !== 503) throw error;
        this.retries += 1;
        await sleep(RETRY_MS);
      }
    }
  }

  private randomInt(below: number): number {
    return Math.floor(this.rng.nextFloat() * below);
  }
}
