import { ConnectionError, TimeoutError } from '../errors/annals-error.js';
import { backOff } from '../http/retry-policy.js';
import type { OpenResponse } from '../http/transport.js';
import type { System } from '../system.js';
import { readEvents } from './read-events.js';

export interface StreamEvent<Data> {
  /** The name of the event. */
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Data;
}

interface Following {
  /** Broken connections in a row. */
  readonly maxRetries: number;
  readonly pause: (delayMs: number) => Promise<void>;
  readonly system: System;
}

const NO_CONTENT = 204;

/**
 * The events of a stream. When it breaks off, or the server ends it, it is opened again with the id of the last event, as
 * an EventSource does, until the server answers that there is nothing more. `maxRetries` of 0: it is opened once.
 */
export async function* followEvents<Data>(
  open: (lastEventId: string | undefined) => Promise<OpenResponse>,
  { maxRetries, pause, system }: Following,
): AsyncGenerator<StreamEvent<Data>, void, undefined> {
  let lastEventId: string | undefined;
  let retries = 0;
  for (;;) {
    const opened = await open(lastEventId);
    if (opened.response.status === NO_CONTENT) return opened.deadline.end();
    let hasReceived = false;
    let failure: ConnectionError | TimeoutError | undefined;
    try {
      for await (const event of readEvents(opened)) {
        yield { ...event, data: parseData(event.data) as Data };
        lastEventId = event.id;
        hasReceived = true;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError || error instanceof TimeoutError)) throw error;
      failure = error;
    }
    if (hasReceived) retries = 0;
    if (retries >= maxRetries) {
      if (failure === undefined) return;
      throw failure;
    }
    // A server that ends a stream after some events may have more; one that ends it at once may be in trouble.
    if (failure !== undefined || !hasReceived) await pause(backOff(retries, system.random()));
    retries += 1;
  }
}

/** JSON, as Annals sends it, or the text itself. */
function parseData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
