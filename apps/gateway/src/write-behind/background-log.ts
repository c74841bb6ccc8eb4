import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { WriteBehind, type WriteBehindOptions, type WriteBehindReporting } from './write-behind.js';

/** A provider whose entries are written after the responses, from the start of the process to its end. */
export abstract class BackgroundLog<Entry>
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly entries: WriteBehind<Entry>;

  protected constructor(options: WriteBehindOptions<Entry>, reporting: WriteBehindReporting) {
    this.entries = new WriteBehind(options, reporting);
  }

  onApplicationBootstrap(): void {
    this.entries.start();
  }

  /** Does not wait: Nest destroys one module after the other, and event streams must end although this one is slow. */
  onModuleDestroy(): void {
    void this.entries.stop();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.entries.stop();
  }

  /** Writes all queued entries, or joins the running flush. Never throws: during an outage they stay queued. */
  flush(): Promise<void> {
    return this.entries.flush();
  }

  /** Neither waits nor throws. */
  protected enqueue(tenantId: string, entries: readonly Entry[]): void {
    this.entries.enqueue(tenantId, entries);
  }
}
