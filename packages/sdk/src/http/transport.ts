import { Pages } from '../paging/pages.js';
import { followEvents, type StreamEvent } from '../streaming/follow-events.js';
import { readLines } from '../streaming/read-lines.js';
import type { System } from '../system.js';
import { buildRequest, type BuiltRequest } from './build-request.js';
import { type Call, isRepeatable } from './call.js';
import { abortError, Deadline } from './deadline.js';
import type { Settings } from './options.js';
import { readError, unexpectedResponse } from './read-error.js';
import { planRetry } from './retry-policy.js';

/** A response whose body is still being read. Whoever reads it ends the deadline. */
export interface OpenResponse {
  readonly response: Response;
  readonly deadline: Deadline;
  /** Names the request in errors. */
  readonly what: string;
}

/** Sends calls, and sends again what failed in passing and may be repeated. */
export class Transport {
  constructor(
    private readonly settings: Settings,
    readonly system: System,
  ) {}

  json<Body>(call: Call): Promise<Body> {
    return this.send(call, async ({ response, what }) => {
      const text = await response.text();
      try {
        return JSON.parse(text) as Body;
      } catch {
        throw unexpectedResponse(response, text, what);
      }
    });
  }

  text(call: Call): Promise<string> {
    return this.send(call, ({ response }) => response.text());
  }

  /** A list, of which `field` holds the items of each page. */
  pages<Page extends { readonly next_cursor: string | null }, Field extends keyof Page>(
    call: Call,
    field: Field,
  ): Pages<Page, Field> {
    const load = (cursor: string | undefined) =>
      this.json<Page>(cursor === undefined ? call : { ...call, query: { ...call.query, cursor } });
    return new Pages(load, field);
  }

  /** Server-sent events. Those of a GET are resumed after a lost connection; each other request would be a new one. */
  events<Data>(call: Call): AsyncGenerator<StreamEvent<Data>, void, undefined> {
    const open = (lastEventId: string | undefined) =>
      this.open(lastEventId === undefined ? call : withHeader(call, 'last-event-id', lastEventId));
    const maxRetries = call.method === 'GET' ? (call.options?.maxRetries ?? this.settings.maxRetries) : 0;
    return followEvents<Data>(open, {
      maxRetries,
      pause: (delayMs) => this.pause(delayMs, call.options?.signal, describe(call)),
      system: this.system,
    });
  }

  /** Lines of JSON, the last of which says that they are all. */
  async *lines<Line>(call: Call): AsyncGenerator<Line, void, undefined> {
    yield* readLines<Line>(await this.open(call));
  }

  /** Throws `AbortError` when the caller aborts, during the wait or before it. `what` names the request in it. */
  async pause(delayMs: number, signal: AbortSignal | undefined, what: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        stopTimer();
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stopTimer = this.system.startTimer(delayMs, stop);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
    });
    if (signal?.aborted) throw abortError(signal, what);
  }

  private send<Result>(call: Call, read: (open: OpenResponse) => Promise<Result>): Promise<Result> {
    return this.attempt(call, async (open) => {
      try {
        return await read(open);
      } finally {
        open.deadline.end();
      }
    });
  }

  private open(call: Call): Promise<OpenResponse> {
    return this.attempt(call, (open) => Promise.resolve(open));
  }

  /** Attempts the call until `use` has its result. */
  private async attempt<Result>(call: Call, use: (open: OpenResponse) => Promise<Result>): Promise<Result> {
    const { idempotencyKey, signal, maxRetries = this.settings.maxRetries } = call.options ?? {};
    const request = buildRequest(this.settings, call, idempotencyKey ?? this.system.uuid());
    const what = describe(call);
    for (let retries = 0; ; retries++) {
      if (signal?.aborted) throw abortError(signal, what);
      const deadline = new Deadline(this.system, call.options?.timeoutMs ?? this.settings.timeoutMs, signal);
      try {
        const response = await this.fetch(request, deadline);
        if (!response.ok && !call.answers?.includes(response.status))
          throw await readError(response, what, this.system.now());
        return await use({ response, deadline, what });
      } catch (error) {
        deadline.end();
        const failure = deadline.explain(error, what);
        const delayMs = planRetry(failure, retries, this.system.random());
        if (delayMs === null || retries >= maxRetries || !isRepeatable(call)) throw failure;
        await this.pause(delayMs, signal, what);
      }
    }
  }

  private fetch({ url, ...request }: BuiltRequest, { signal }: Deadline): Promise<Response> {
    return this.settings.fetch(url, { ...request, signal });
  }
}

function describe({ method, path }: Call): string {
  return `${method} ${path}`;
}

function withHeader(call: Call, name: string, value: string): Call {
  return { ...call, options: { ...call.options, headers: { ...call.options?.headers, [name]: value } } };
}
