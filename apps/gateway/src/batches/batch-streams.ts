import { type Batch, isFinalBatchState, ProblemError } from '@annals/contracts';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { type Principal, tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { BatchPoller, type Subscription } from './batch-poller.js';
import type { VersionedBatch } from './batches.service.js';

const MAX_STREAMS = 1_000;
const HEARTBEAT_MS = 15_000;
/** The longest time that a stream outlives the revocation of its key. Clients reconnect with Last-Event-ID. */
const MAX_STREAM_MS = 10 * 60_000;
/** A client that does not read is disconnected when it has more unread bytes than this, to bound memory. */
const MAX_UNREAD_BYTES = 256 * 1_024;

/** The open event streams of this process. */
@Injectable()
export class BatchStreams implements OnModuleDestroy {
  private readonly streams = new Set<EventStream>();

  constructor(@Inject(BatchPoller) private readonly poller: BatchPoller) {}

  get count(): number {
    return this.streams.size;
  }

  /** Throws `rate_limited` when this process has `MAX_STREAMS` open streams. */
  checkCapacity(): void {
    if (this.streams.size < MAX_STREAMS) return;
    throw new ProblemError('rate_limited', 'Too many event streams are open: poll GET /v1/batches/{id} instead.', {
      retryAfterSeconds: 5,
    });
  }

  /** Sends the batch's current status, unless Last-Event-ID names it, then each change until the status is final. */
  open({ batch, revision }: VersionedBatch, caller: Principal, { request, reply }: Call['raw']): void {
    const seen = request.headers['last-event-id'] === String(revision);
    // An EventSource reconnects whenever a stream ends, except after a 204 (WHATWG HTML §9.2).
    if (seen && isFinalBatchState(batch.status)) return void reply.code(204).send();
    reply.hijack();
    const stream = new EventStream(reply.raw);
    stream.begin(reply.getHeaders());
    if (!seen) stream.sendStatus(batch, revision);
    if (isFinalBatchState(batch.status)) return stream.end();
    this.follow(stream, { tenantId: tenantOf(caller), batchId: batch.id, revision }, reply.raw);
  }

  onModuleDestroy(): void {
    for (const stream of this.streams) stream.end();
  }

  private follow(
    stream: EventStream,
    position: Pick<Subscription, 'tenantId' | 'batchId' | 'revision'>,
    response: Call['raw']['reply']['raw'],
  ): void {
    const subscription: Subscription = {
      ...position,
      onChange: ({ batch, revision }) => {
        stream.sendStatus(batch, revision);
        if (isFinalBatchState(batch.status)) stream.end();
      },
      onDeleted: () => stream.end(),
    };
    const heartbeat = setInterval(() => stream.sendHeartbeat(), HEARTBEAT_MS).unref();
    const limit = setTimeout(() => stream.end(), MAX_STREAM_MS).unref();
    this.streams.add(stream);
    this.poller.subscribe(subscription);
    response.once('close', () => {
      clearInterval(heartbeat);
      clearTimeout(limit);
      this.streams.delete(stream);
      this.poller.unsubscribe(subscription);
    });
  }
}

/** One open stream of server-sent events (WHATWG HTML §9.2). */
class EventStream {
  constructor(private readonly response: ServerResponse) {}

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** `headers`: those of every response. */
  begin(headers: Readonly<Record<string, unknown>>): void {
    this.response.writeHead(200, {
      ...(headers as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Turns off response buffering in nginx and similar proxies.
      'x-accel-buffering': 'no',
    });
    this.response.flushHeaders();
  }

  sendStatus(batch: Batch, revision: number): void {
    this.write(`event: status\nid: ${revision}\ndata: ${JSON.stringify(batch)}\n\n`);
  }

  /** An SSE comment: keeps proxies from closing an idle connection, and detects clients that have disconnected. */
  sendHeartbeat(): void {
    this.write(': heartbeat\n\n');
  }

  end(): void {
    if (this.isOpen) this.response.end();
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
