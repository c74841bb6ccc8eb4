import type { JobError } from './job-error.js';

/** The worker is stopping: the job is returned to the queue and uses up no attempt. */
export class ReturnJob extends Error {
  constructor() {
    super('The worker is stopping.');
    this.name = 'ReturnJob';
  }
}

/** The handler delayed the job. */
export class DelayJob extends Error {
  constructor(readonly delayMs: number) {
    super('The job is delayed.');
    this.name = 'DelayJob';
  }
}

/** One running handler. Ending it aborts its signal and does not wait for it. */
export class RunningJob<Result> {
  hasLostLock = false;
  private readonly controller = new AbortController();
  private reject?: (reason: Error) => void;

  constructor(readonly jobId: string) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Settles with the handler, or rejects with `late` after `timeoutMs`, or with the reason given to `end`. */
  async run(handler: () => Promise<Result>, timeoutMs: number, late: () => JobError): Promise<Result> {
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

/** Whether `work` settles (resolves or rejects) within `ms`. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
