import { AsyncResource } from 'node:async_hooks';
import type { Tx } from './transaction.js';
import { TransactionFailedError } from './transact.js';

type Work<T> = (tx: Tx) => Promise<T>;

/** How transactions are run for a group. */
export interface GroupTransactions {
  /** All work in one transaction. @throws TransactionFailedError, or an error without having begun one */
  together(tenantId: string, works: readonly Work<unknown>[]): Promise<unknown[]>;
  /** In a transaction of its own. */
  alone(tenantId: string, work: Work<unknown>): Promise<unknown>;
}

interface Waiting {
  readonly key: string;
  readonly work: Work<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface TenantQueue {
  waiting: Waiting[];
  /** Keys of the work in flight. */
  readonly running: Set<string>;
  /** In flight. */
  groups: number;
  isScheduled: boolean;
}

/** Work in one transaction: more makes everybody wait longer for its end than the shared round trips are worth. */
const MAX_GROUP_SIZE = 32;

/** Groups in flight of one tenant and process. */
const MAX_GROUPS = 3;

/** Pieces of work in flight beside which another group starts at once. */
const FEW_IN_FLIGHT = 2;

/**
 * Lets pieces of work of one tenant that are asked for at about the same time share a transaction: one commit, and round
 * trips in common, since the work runs concurrently on one connection. While groups are in flight, what is asked for
 * collects for the next one, so that groups grow with the load; work that comes alone starts at once, alone.
 *
 * Work with one key runs in the order in which it was asked for, never in one group. When a group fails, all of it is
 * undone, and each piece runs again in a transaction of its own: one that fails does not fail its neighbours. Therefore
 * **work may run twice** and must do nothing but SQL.
 */
export class TransactionGroups {
  private readonly tenants = new Map<string, TenantQueue>();
  private onIdle: (() => void)[] = [];

  constructor(private readonly transactions: GroupTransactions) {}

  run<T>(tenantId: string, key: string, work: Work<T>): Promise<T> {
    const queue = this.tenants.get(tenantId) ?? { waiting: [], running: new Set(), groups: 0, isScheduled: false };
    this.tenants.set(tenantId, queue);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // In its caller's context, which the trace of its statements belongs to.
    queue.waiting.push({ key, work: AsyncResource.bind(work), resolve, reject });
    this.schedule(tenantId, queue);
    return promise as Promise<T>;
  }

  /** Resolves when nothing waits or is in flight. */
  async whenIdle(): Promise<void> {
    if (this.tenants.size > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
  }

  private schedule(tenantId: string, queue: TenantQueue): void {
    if (queue.isScheduled) return;
    queue.isScheduled = true;
    // What is asked for in the same turn of the event loop joins.
    setImmediate(() => {
      queue.isScheduled = false;
      if (mayStart(queue)) this.start(tenantId, queue);
    });
  }

  private start(tenantId: string, queue: TenantQueue): void {
    const group = takeGroup(queue);
    if (group.length === 0) return;
    queue.groups += 1;
    void this.runGroup(tenantId, group).finally(() => {
      queue.groups -= 1;
      for (const { key } of group) queue.running.delete(key);
      if (queue.waiting.length > 0) this.schedule(tenantId, queue);
      else if (queue.groups === 0) this.forget(tenantId);
    });
    if (queue.waiting.length > 0) this.schedule(tenantId, queue);
  }

  private forget(tenantId: string): void {
    this.tenants.delete(tenantId);
    if (this.tenants.size === 0) for (const resolve of this.onIdle.splice(0)) resolve();
  }

  private async runGroup(tenantId: string, group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (group.length === 1) return this.runAlone(tenantId, first!);
    try {
      const works = group.map(({ work }) => work);
      const results = await this.transactions.together(tenantId, works);
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      // Of a commit that may have been carried out nothing is repeated: its callers decide, as for one of their own.
      if (!(error instanceof TransactionFailedError)) return rejectAll(group, error);
      if (!error.isUndone) return rejectAll(group, error.cause);
      await Promise.all(group.map((member) => this.runAlone(tenantId, member)));
    }
  }

  private async runAlone(tenantId: string, { work, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await this.transactions.alone(tenantId, work));
    } catch (error) {
      reject(error);
    }
  }
}

/**
 * Beside a large group another one starts only when it is larger still: groups that take turns would stay small, while
 * those that wait for each other join. A few pieces of work that take long hold up nobody.
 */
function mayStart({ groups, running, waiting }: TenantQueue): boolean {
  if (groups === 0) return true;
  return groups < MAX_GROUPS && (running.size <= FEW_IN_FLIGHT || waiting.length > running.size);
}

/** The first of each key, in the order of keys: groups of two processes lock the same rows in the same order. */
function takeGroup(queue: TenantQueue): Waiting[] {
  const group: Waiting[] = [];
  const left: Waiting[] = [];
  const isBlocked = new Set(queue.running);
  for (const member of queue.waiting) {
    const joins = group.length < MAX_GROUP_SIZE && !isBlocked.has(member.key);
    (joins ? group : left).push(member);
    isBlocked.add(member.key);
  }
  queue.waiting = left;
  for (const { key } of group) queue.running.add(key);
  return group.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function rejectAll(group: readonly Waiting[], error: unknown): void {
  for (const { reject } of group) reject(error);
}
