import type { Book } from './book.ts';
import type { Caller } from './caller.ts';
import type { Tenant } from './population.ts';

interface State {
  readonly step: number;
  readonly note: string;
}

/** A thread whose state is saved step by step, each one on top of the one before. */
export class CheckpointThread {
  /** The last version that was confirmed. */
  private confirmed = 0;
  private isBusy = false;
  private readonly tenant: Tenant;
  private readonly threadId: string;
  private readonly book: Book;
  private readonly caller: Caller;

  constructor(tenant: Tenant, threadId: string, book: Book, caller: Caller) {
    this.tenant = tenant;
    this.threadId = threadId;
    this.book = book;
    this.caller = caller;
  }

  private get params() {
    return { user_id: this.tenant.users[0]!, thread_id: this.threadId };
  }

  async step(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      const step = this.confirmed + 1;
      const body = { version: this.confirmed, data: this.renderState(step) };
      const answer = await this.caller.ask('other', this.tenant.client, 'putCheckpoint', { params: this.params, body });
      // A conflict: the request was sent again after one that was saved without an answer.
      if (!answer.ok && answer.status !== 409) this.violate(`step ${step} was refused with ${answer.status}`);
      else this.confirmed = step;
      this.book.count('checkpoints saved');
    } finally {
      this.isBusy = false;
    }
  }

  /** Reads every version that is kept, and compares it with what was saved under its number. */
  async check(): Promise<void> {
    if (this.confirmed === 0) return;
    const newest = await this.read();
    if (newest?.version !== this.confirmed)
      this.violate(`version ${newest?.version} is there, ${this.confirmed} was confirmed`);
    for (let version = newest?.oldest_version ?? 1; version <= this.confirmed; version += 1) {
      const checkpoint = await this.read(version);
      const isRight = JSON.stringify(checkpoint?.data) === JSON.stringify(this.renderState(version));
      if (!isRight) this.violate(`version ${version} is ${checkpoint ? 'another state' : 'missing'}`);
      this.book.count('checkpoint versions read');
    }
  }

  private async read(version?: number) {
    const input = { params: this.params, query: version === undefined ? {} : { version } };
    const answer = await this.caller.ask('other', this.tenant.client, 'getCheckpoint', input);
    return answer.ok ? answer.body : undefined;
  }

  private renderState(step: number): State {
    return { step, note: `note ${step} of ${this.threadId}` };
  }

  private violate(what: string): void {
    this.book.violate('checkpoint', `${this.threadId} of tenant ${this.tenant.index}: ${what}`);
  }
}
