import type { QueueBackend } from '../queue-backend/queue-backend.js';

/** Detects that the queue lost its data: its epoch key is missing or has another value. */
export class EpochWatch {
  private lastId: string | undefined;

  constructor(private readonly backend: Pick<QueueBackend, 'readEpoch'>) {}

  /** True once per loss. @throws QueueUnavailableError */
  async hasChanged(): Promise<boolean> {
    const { id, created } = await this.backend.readEpoch();
    const changed = created || (this.lastId !== undefined && this.lastId !== id);
    this.lastId = id;
    return changed;
  }
}
