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
  /** Free bytes of the file system of a folder. Default: asked of the operating system. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

const DEFAULT_INTERVAL_MS = 10_000;
/** So long in all, a scrub waits between its steps for the database to be idle. */
const MAX_IDLE_WAIT_MS = 10_000;
const IDLE_POLL_MS = 20;
/** Before a long step, no statement is run for so long: callers of a moment ago are likely to come again. */
const QUIET_MS = 500;
/** After a scrub, the database is left alone for this many times its duration. */
const REST_FACTOR = 4;

const MIN_REST_AFTER_FAILURE_MS = 60_000;
const MAX_REST_AFTER_FAILURE_MS = 3_600_000;

/** How long the database is left alone after the nth failure in succession, in ms: what failed is likely to again. */
export function restAfterFailure(failures: number, elapsedMs: number): number {
  const first = Math.max(MIN_REST_AFTER_FAILURE_MS, REST_FACTOR * elapsedMs);
  return Math.max(first, Math.min(first * 2 ** (failures - 1), MAX_REST_AFTER_FAILURE_MS));
}

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
    const { freeBytes } = options;
    this.scrub = new FileScrub(hub, folder, { signal: this.stopping.signal, ...(freeBytes ? { freeBytes } : {}) });
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
    let [rest, failures] = [0, 0];
    while (!signal.aborted) {
      await delay(Math.max(intervalMs, rest), undefined, { signal, ref: false }).catch(() => undefined);
      const startedAt = performance.now();
      try {
        if (!signal.aborted) rest = REST_FACTOR * (await this.scrubOnce());
        failures = 0;
      } catch (error) {
        if (signal.aborted || error instanceof EngineCrashedError) return;
        failures += 1;
        rest = restAfterFailure(failures, performance.now() - startedAt);
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
    if (!(await this.scrub.isRequested())) return 0;
    const startedAt = performance.now();
    let waitedMs = 0;
    await this.scrub.run(async (isLong) => {
      waitedMs += await this.waitUntilIdle(isLong ? QUIET_MS : 0, MAX_IDLE_WAIT_MS - waitedMs);
      if (this.stopping.signal.aborted) throw new ScrubberClosedError();
    });
    const durationMs = performance.now() - startedAt;
    this.options.onScrubbed?.(durationMs);
    return durationMs - waitedMs;
  }
}
