import { type ApiClient, UnexpectedAnswer } from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestKind, RequestSample } from '../timeline.ts';

type RouteName = Parameters<ApiClient['call']>[0];

const PAUSE_MS = 250;
/** Longer than any fault and all restarts after it. */
const GIVE_UP_MS = 5 * 60_000;
/** Errors after which a client sends the same request again. */
const REPEATED = new Set([0, 429, 500, 502, 503, 504]);

/** A client as it should be: it sends a request again until that is answered, and notes how each was answered. */
export class Caller {
  readonly samples: RequestSample[] = [];
  private readonly startedMs = performance.now();

  async ask<Name extends RouteName>(
    kind: RequestKind,
    client: ApiClient,
    name: Name,
    input: Parameters<typeof client.call<Name>>[1],
  ) {
    const deadline = performance.now() + GIVE_UP_MS;
    for (;;) {
      const sentMs = performance.now();
      const answer = await this.send(client, name, input);
      const status = typeof answer === 'number' ? answer : answer.status;
      this.samples.push({ kind, status, atMs: sentMs - this.startedMs, ms: performance.now() - sentMs });
      if (typeof answer !== 'number' && !REPEATED.has(status) && !isStillRunning(answer)) return answer;
      if (performance.now() > deadline)
        throw new Error(`${name} was not answered for five minutes, last with ${status}.`);
      await sleep(PAUSE_MS);
    }
  }

  /** The body of an answer that has to be a success. */
  async must<Name extends RouteName>(
    kind: RequestKind,
    client: ApiClient,
    name: Name,
    input: Parameters<typeof client.call<Name>>[1],
  ) {
    const answer = await this.ask(kind, client, name, input);
    if (!answer.ok) throw new Error(`${name} was refused with ${answer.status}: ${answer.problem.detail}`);
    return answer.body;
  }

  /** The answer; a status alone when it is not of the API, 0 when there is none. */
  private async send<Name extends RouteName>(
    client: ApiClient,
    name: Name,
    input: Parameters<typeof client.call<Name>>[1],
  ) {
    try {
      return await client.call(name, input);
    } catch (error) {
      // fetch: no connection, or one that broke. An answer against the contract is a defect.
      if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) return 0;
      if (error instanceof UnexpectedAnswer) return error.answer.status;
      throw error;
    }
  }
}

/** A request under the same Idempotency-Key has not ended yet. */
function isStillRunning(answer: Awaited<ReturnType<ApiClient['call']>>): boolean {
  return !answer.ok && answer.problem.code === 'idempotency_in_flight';
}
