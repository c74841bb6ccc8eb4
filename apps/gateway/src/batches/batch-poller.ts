import { DATABASE } from '@annals/runtime';
import { readBatchRevisions, type Database, getBatches } from '@annals/storage';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { VersionedBatch } from './batches.service.js';

const POLL_MS = 250;

/** A client that waits for the next change of a batch. `revision` is the last one it was sent. */
export interface Subscription {
  readonly tenantId: string;
  readonly batchId: string;
  revision: number;
  onChange(versioned: VersionedBatch): void;
  /** The batch was deleted. */
  onDeleted(): void;
}

/** Watches all subscribed batches of the process by one query per tenant every 250 ms, and none without any. */
@Injectable()
export class BatchPoller implements OnModuleDestroy {
  private readonly subscriptions = new Map<string, Set<Subscription>>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  get isPolling(): boolean {
    return this.timer !== undefined;
  }

  subscribe(subscription: Subscription): void {
    const tenant = this.subscriptions.get(subscription.tenantId) ?? new Set();
    this.subscriptions.set(subscription.tenantId, tenant.add(subscription));
    this.schedule();
  }

  unsubscribe(subscription: Subscription): void {
    const tenant = this.subscriptions.get(subscription.tenantId);
    tenant?.delete(subscription);
    if (tenant?.size === 0) this.subscriptions.delete(subscription.tenantId);
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    if (this.timer !== undefined || this.stopped || this.subscriptions.size === 0) return;
    this.timer = setTimeout(() => void this.pollAll(), POLL_MS).unref();
  }

  private async pollAll(): Promise<void> {
    // The next poll makes up for one that fails. Writers log database outages.
    await Promise.allSettled([...this.subscriptions].map(([tenantId, tenant]) => this.pollTenant(tenantId, tenant)));
    this.timer = undefined;
    this.schedule();
  }

  private async pollTenant(tenantId: string, tenant: ReadonlySet<Subscription>): Promise<void> {
    const waiting = [...tenant];
    const { revisions, batches } = await this.database.readTenant(tenantId, async (tx) => {
      const found = await readBatchRevisions(tx, [...new Set(waiting.map(({ batchId }) => batchId))]);
      const changed = waiting.filter(({ batchId, revision }) => (found.get(batchId) ?? revision) !== revision);
      const ids = [...new Set(changed.map(({ batchId }) => batchId))];
      return { revisions: found, batches: ids.length === 0 ? [] : await getBatches(tx, ids) };
    });
    const byId = new Map(batches.map((batch) => [batch.id, batch]));
    for (const subscription of waiting) {
      const revision = revisions.get(subscription.batchId);
      const batch = byId.get(subscription.batchId);
      if (revision === undefined) subscription.onDeleted();
      else if (batch && revision !== subscription.revision) {
        subscription.revision = revision;
        subscription.onChange({ batch, revision });
      }
    }
  }
}
