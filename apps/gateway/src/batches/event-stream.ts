import type { Batch } from '@annals/contracts';
import type { ServerResponse } from 'node:http';

/** A client that does not read is let go before its unread events fill the memory. */
const MAX_UNREAD_BYTES = 256 * 1_024;

/** One open stream of server-sent events (WHATWG HTML §9.2). */
export class EventStream {
  constructor(private readonly response: ServerResponse) {}

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** `headers` are those every answer has. */
  begin(headers: Readonly<Record<string, unknown>>): void {
    this.response.writeHead(200, {
      ...(headers as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Tells nginx and its kin to pass events on as they come.
      'x-accel-buffering': 'no',
    });
    this.response.flushHeaders();
  }

  sendStatus(batch: Batch, revision: number): void {
    this.write(`event: status\nid: ${revision}\ndata: ${JSON.stringify(batch)}\n\n`);
  }

  /** A comment: keeps proxies from closing a quiet connection, and tells this side when the other is gone. */
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
