import type { JobFault } from './job-fault.js';

/** The worker is stopping: the job goes back to the queue, its attempt unused. */
export class HandBack extends Error {
  constructor() {
    super('The worker is stopping.');
    this.name = 'HandBack';
  }
}

/** The handler asked for a later time. */
export class Gate extends Error {
  constructor(readonly delayMs: number) {
    super('The job waits at a gate.');
    this.name = 'Gate';
  }
}

/** One handler at work. Ending it aborts its signal and does not wait for it. */
export class RunningJob<Result> {
  private readonly controller = new AbortController();
  private reject?: (reason: Error) => void;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Settles with the handler, or fails with `late` after `timeoutMs`, or with what `end` gave. */
  async run(handler: () => Promise<Result>, timeoutMs: number, late: () => JobFault): Promise<Result> {
    const timer = setTimeout(() => this.end(late()), timeoutMs);
    try {
      return await new Promise((resolve, reject) => {
        this.reject = reject;
        invoke(handler).then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  end(reason: Error): void {
    this.controller.abort(reason);
    this.reject?.(reason);
  }
}

async function invoke<Result>(handler: () => Promise<Result>): Promise<Result> {
  return handler();
}
