/** Injected, so that every time-dependent rule can be tested (docs/reference/determinism.md#injected-clock). */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since a fixed moment. Setting the system time does not change it: for durations and deadlines. */
  monotonicNow(): number;
  /** Calls `onDue` once, in `ms` milliseconds. It does not keep the process running. */
  startTimer(ms: number, onDue: () => void): Timer;
}

export interface Timer {
  /** Begins the waiting time again, also after the timer was due. */
  restart(): void;
  stop(): void;
}

/**
 * A signal that is aborted with `createReason()` after `ms` milliseconds. Call `stop` when what it limits has ended.
 */
export function startDeadline(
  clock: Clock,
  ms: number,
  createReason: () => Error,
): { readonly signal: AbortSignal; readonly timer: Timer } {
  const controller = new AbortController();
  const timer = clock.startTimer(ms, () => controller.abort(createReason()));
  return { signal: controller.signal, timer };
}

interface PendingTimer {
  dueAt: number;
  readonly onDue: () => void;
}

/** A clock that only changes by `reset` and `advance` (docs/reference/determinism.md#injected-clock). */
export class ManualClock implements Clock {
  private elapsedMs = 0;
  private readonly timers = new Set<PendingTimer>();

  constructor(private currentMs: number = 0) {}

  now(): number {
    return this.currentMs;
  }

  monotonicNow(): number {
    return this.elapsedMs;
  }

  /** The number of timers that wait. */
  get waiting(): number {
    return this.timers.size;
  }

  startTimer(ms: number, onDue: () => void): Timer {
    const timer: PendingTimer = { dueAt: 0, onDue };
    const restart = () => {
      timer.dueAt = this.elapsedMs + ms;
      this.timers.add(timer);
    };
    restart();
    return { restart, stop: () => void this.timers.delete(timer) };
  }

  /** Sets the system time; no time passes. */
  reset(valueMs: number): void {
    this.currentMs = valueMs;
  }

  /** Moves the time forward by milliseconds, and calls what becomes due, in order. Back, when negative, as `reset`. */
  advance(ms: number): void {
    this.currentMs += ms;
    this.elapsedMs += Math.max(0, ms);
    const due = [...this.timers].filter(({ dueAt }) => dueAt <= this.elapsedMs).toSorted((a, b) => a.dueAt - b.dueAt);
    for (const timer of due) {
      if (this.timers.delete(timer)) timer.onDue();
    }
  }
}
