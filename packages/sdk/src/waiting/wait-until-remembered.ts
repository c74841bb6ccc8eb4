import { AbortError, ConnectionError } from '../errors/annals-error.js';
import { BatchFailedError } from '../errors/batch-failed-error.js';
import { RateLimitedError } from '../errors/problem-error.js';
import { BatchesApi } from '../generated/resources/batches.js';
import type { Batch } from '../generated/types.js';
import type { RequestOptions } from '../http/call.js';
import { Deadline } from '../http/deadline.js';
import { backOff } from '../http/retry-policy.js';
import type { Transport } from '../http/transport.js';

/** What was posted: the answer to a post, or ids of batches. */
export type Receipt = string | readonly string[] | { readonly batch_ids: readonly string[] };

export interface WaitOptions extends Omit<RequestOptions, 'timeoutMs'> {
  /** How long to wait in total; 5 minutes unless given. `Infinity`: until the batches are done or failed. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 300_000;

/** Waits until the batches of a post are done. Throws a `BatchFailedError` when one has failed. */
export async function waitUntilRemembered(
  transport: Transport,
  receipt: Receipt,
  { timeoutMs = TIMEOUT_MS, signal, ...options }: WaitOptions,
): Promise<Batch[]> {
  const deadline = new Deadline(transport.system, timeoutMs, signal);
  let what = 'Waiting for a batch';
  try {
    const done: Batch[] = [];
    for (const id of listBatchIds(receipt)) {
      what = `Waiting for batch ${id}`;
      for await (const batch of followBatch(transport, id, { ...options, signal: deadline.signal })) {
        what = `Waiting for batch ${id}, which is ${batch.status}`;
        if (batch.status === 'failed') throw new BatchFailedError(batch);
        if (batch.status !== 'done') continue;
        done.push(batch);
        break;
      }
      if (done.at(-1)?.id !== id) throw new ConnectionError(`${what}: the server ended its stream. Wait again.`);
    }
    return done;
  } catch (error) {
    // The requests only see that they were aborted: by the caller, or because the time is over.
    throw deadline.explain(error instanceof AbortError ? error.cause : error, what);
  } finally {
    deadline.end();
  }
}

function listBatchIds(receipt: Receipt): readonly string[] {
  if (typeof receipt === 'string') return [receipt];
  return 'batch_ids' in receipt ? receipt.batch_ids : receipt;
}

/** Each state of a batch; by polling while the server has too many streams. */
async function* followBatch(
  transport: Transport,
  id: string,
  options: RequestOptions,
): AsyncGenerator<Batch, void, undefined> {
  const batches = new BatchesApi(transport);
  try {
    for await (const { data } of batches.events(id, options)) yield data;
  } catch (error) {
    if (!(error instanceof RateLimitedError)) throw error;
    for (let polls = 0; ; polls++) {
      yield await batches.get(id, options);
      await transport.pause(backOff(polls, transport.system.random()), options.signal, `Waiting for batch ${id}`);
    }
  }
}
