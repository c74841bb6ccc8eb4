import type { Batch } from '@annals/contracts';
import type { ServerResponse } from 'node:http';

/** A client that does not read is disconnected when it has more unread bytes than this, to bound memory. */
const MAX_UNREAD_BYTES = 256 * 1_024;

/** One open stream of server-sent events (WHATWG HTML §9.2). */
export class EventStream {
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
