import type { ClientWith } from '../client.js';
import type { Said } from './conversation.js';
import type { MemoryOptions } from './options.js';
import { report } from './report.js';

/** Something said, with its id. */
export interface Utterance extends Said {
  readonly id: string;
}

/** What a message may have; of a longer one the beginning is stored. */
const MAX_MESSAGE_LENGTH = 100_000;

/** Stores what is said, one post after the other, and never fails. */
export class Ingest {
  private readonly posted = new Set<string>();
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: ClientWith<'conversations'>,
    private readonly options: MemoryOptions,
  ) {}

  /** Returns at once. The server stores a message once, so a repetition by another process does no harm. */
  add(utterances: Promise<readonly Utterance[]>): void {
    this.last = this.last.then(() => this.post(utterances));
    try {
      this.options.waitUntil?.(this.last);
    } catch (error) {
      report(error, this.options.onError);
    }
  }

  /** When everything that has been added until then is stored, or has failed. */
  async settled(): Promise<void> {
    let { last } = this;
    await last;
    while (last !== this.last) {
      last = this.last;
      await last;
    }
  }

  private async post(utterances: Promise<readonly Utterance[]>): Promise<void> {
    let unposted: readonly Utterance[] = [];
    try {
      unposted = (await utterances).filter(({ id }) => !this.posted.has(id));
      if (unposted.length === 0) return;
      for (const { id } of unposted) this.posted.add(id);
      const { user, thread, agent } = this.options;
      await this.client.conversations.create({
        user_id: user,
        thread_id: thread,
        ...(agent === undefined ? {} : { agent_id: agent }),
        messages: unposted.map(({ id, role, text }) => ({
          id,
          role,
          content: text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed(),
        })),
      });
    } catch (error) {
      // The next step of the turn tries again.
      for (const { id } of unposted) this.posted.delete(id);
      report(error, this.options.onError);
    }
  }
}
