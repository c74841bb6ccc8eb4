import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `work`; everything it starts, asynchronous work included, logs with this request id. */
export function runWithRequestId<T>(requestId: string, work: () => T): T {
  return storage.run(requestId, work);
}

export function currentRequestId(): string | undefined {
  return storage.getStore();
}
