import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyPart } from './completion.js';
import type { Ending, Journal, JournalEntry } from './journal.js';

/** Between two of its bytes. */
const TRICKLE_MS = 5;

/** One request and its response: sends, waits, breaks, and updates the journal, whichever side ends it. */
export class Exchange {
  private readonly left = new AbortController();

  constructor(
    private readonly response: ServerResponse,
    readonly entry: JournalEntry,
    private readonly journal: Journal,
    private readonly now: () => number,
    private readonly settle: (entry: JournalEntry) => void,
  ) {
    response.on('close', () => {
      this.left.abort();
      this.close('left');
    });
  }

  get isOver(): boolean {
    return this.left.signal.aborted || this.entry.endedAt !== null;
  }

  send(status: number, headers: Record<string, string>, body: string): void {
    if (this.isOver) return;
    this.begin(status, { 'content-type': 'application/json', ...headers });
    this.close('complete');
    this.response.end(body);
  }

  begin(status: number, headers: Record<string, string>): void {
    if (this.isOver) return;
    this.entry.status = status;
    this.response.writeHead(status, headers);
  }

  /** Writes the parts, in one piece without `everyMs`. */
  async write(parts: readonly BodyPart[], everyMs = 0): Promise<void> {
    const groups = everyMs > 0 ? parts.map((part) => [part]) : [parts];
    for (const group of groups) {
      if (everyMs > 0) await this.wait(everyMs);
      if (this.isOver) return;
      this.entry.text += group.map(({ text }) => text ?? '').join('');
      await this.writeRaw(group.map(({ raw }) => raw).join(''));
    }
  }

  /** Ends immediately when the caller closes the connection. */
  async wait(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.left.signal }).catch(() => undefined);
  }

  /** Sends `raw` now and then until the caller closes the connection. */
  async trickle(raw: string): Promise<void> {
    while (!this.isOver) {
      await this.writeRaw(raw);
      this.journal.noteTrickle(this.entry);
      await this.wait(TRICKLE_MS);
    }
  }

  end(ending: Ending): void {
    this.close(ending);
    this.response.end();
  }

  /** Cuts the connection: with a reset when nothing was sent, else after flushing what was sent. */
  cut(): void {
    this.close('broken');
    const { socket } = this.response;
    if (this.response.headersSent) socket?.destroySoon();
    else socket?.resetAndDestroy();
  }

  private close(ending: Ending): void {
    if (this.entry.endedAt !== null) return;
    this.settle(this.entry);
    this.journal.close(this.entry, ending, this.now());
  }

  private writeRaw(raw: string): Promise<void> {
    return new Promise((resolve) => {
      if (raw === '') return resolve();
      this.response.write(raw, () => resolve());
    });
  }
}
