import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedHub } from './embedded-hub.js';
import { EngineCrashedError } from './engine.js';
import { FileScrub } from './file-scrub.js';

export interface FileScrubberOptions {
  /** How often requests are looked for, in ms. Default 10 s. */
  readonly intervalMs?: number;
  /** Called with how long it took, in ms, pauses included. */
  readonly onScrubbed?: (durationMs: number) => void;
  /** Called when it failed. The request stays and is carried out later, also by the next process. */
  readonly onFailed?: (error: unknown) => void;
}

const DEFAULT_INTERVAL_MS = 10_000;
/** So long in all, a scrub waits between its steps for the database to be idle. */
const MAX_IDLE_WAIT_MS = 10_000;
const IDLE_POLL_MS = 20;
/** Before a long step, no statement is run for so long: callers of a moment ago are likely to come again. */
const QUIET_MS = 500;
/** After a scrub, the database is left alone for this many times its duration. */
const REST_FACTOR = 4;

class ScrubberClosedError extends Error {}

/** Carries out the requests to rewrite files that deletions leave in the database. */
export class FileScrubber {
  private readonly stopping = new AbortController();
  private readonly scrub: FileScrub;
  private running: Promise<void> | undefined;

  /** `folder`: PGDATA. */
  constructor(
    private readonly hub: EmbeddedHub,
    folder: string,
    private readonly options: FileScrubberOptions,
  ) {
    this.scrub = new FileScrub(hub, folder);
  }

  start(): void {
    this.running ??= this.runUntilClosed();
  }

  /** Resolves when the step that is running has ended; what is left is done by the next process. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async runUntilClosed(): Promise<void> {
    const { signal } = this.stopping;
    const { intervalMs = DEFAULT_INTERVAL_MS, onFailed } = this.options;
    let rest = 0;
    while (!signal.aborted) {
      await delay(Math.max(intervalMs, rest), undefined, { signal, ref: false }).catch(() => undefined);
      try {
        if (!signal.aborted) rest = REST_FACTOR * (await this.scrubOnce());
      } catch (error) {
        if (error instanceof ScrubberClosedError || error instanceof EngineCrashedError) return;
        onFailed?.(error);
      }
    }
  }

  /** Waits until no statement has run for `quietMs`, at most `limitMs`. Returns how long it has waited, in ms. */
  private async waitUntilIdle(quietMs: number, limitMs: number): Promise<number> {
    const { lock } = this.hub;
    let [waitedMs, idleMs, acquisitions] = [0, 0, lock.acquisitions];
    while (!this.stopping.signal.aborted && waitedMs < limitMs && (!lock.isFree || idleMs < quietMs)) {
      await delay(IDLE_POLL_MS);
      waitedMs += IDLE_POLL_MS;
      idleMs = lock.isFree && lock.acquisitions === acquisitions ? idleMs + IDLE_POLL_MS : 0;
      acquisitions = lock.acquisitions;
    }
    return waitedMs;
  }

  /** How long the rewriting itself took, in ms. */
  private async scrubOnce(): Promise<number> {
    const requests = await this.scrub.findRequests();
    if (requests.length === 0) return 0;
    const startedAt = performance.now();
    let waitedMs = 0;
    await this.scrub.run(requests, async (isLong) => {
      waitedMs += await this.waitUntilIdle(isLong ? QUIET_MS : 0, MAX_IDLE_WAIT_MS - waitedMs);
      if (this.stopping.signal.aborted) throw new ScrubberClosedError();
    });
    const durationMs = performance.now() - startedAt;
    this.options.onScrubbed?.(durationMs);
    return durationMs - waitedMs;
  }
}
