import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionFailedError } from './transact.js';
import { type GroupTransactions, TransactionGroups } from './transaction-groups.js';
import type { Tx } from './transaction.js';

const TENANT = 'tenant';
const nextTurn = () => new Promise(setImmediate);

/** Transactions that end when the spec says so. */
class ManualTransactions implements GroupTransactions {
  readonly open: { readonly size: number; end(error?: Error): void }[] = [];
  alones = 0;

  async together(_tenantId: string, works: readonly ((tx: Tx) => Promise<unknown>)[]): Promise<unknown[]> {
    const results = await Promise.all(works.map((work) => work({} as Tx)));
    await this.wait(works.length);
    return results;
  }

  async alone(_tenantId: string, work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    this.alones += 1;
    const result = await work({} as Tx);
    await this.wait(1);
    return result;
  }

  get sizes(): number[] {
    return this.open.map(({ size }) => size);
  }

  private wait(size: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = {
        size,
        end: (error?: Error) => {
          this.open.splice(this.open.indexOf(transaction), 1);
          if (error) reject(error);
          else resolve();
        },
      };
      this.open.push(transaction);
    });
  }
}

describe('TransactionGroups', () => {
  let transactions: ManualTransactions;
  let groups: TransactionGroups;
  let order: string[];

  beforeEach(() => {
    transactions = new ManualTransactions();
    groups = new TransactionGroups(transactions);
    order = [];
  });

  const ask = (key: string, tenantId = TENANT) =>
    groups.run(tenantId, key, async () => {
      order.push(key);
      return `done ${key}`;
    });
  const ended = async (error?: Error) => {
    transactions.open[0]!.end(error);
    await nextTurn();
    await nextTurn();
  };
  const keysOf = (count: number, start = 'k') =>
    Array.from({ length: count }, (_, index) => `${start}${`${index}`.padStart(2, '0')}`);

  it('runs work that comes alone in a transaction of its own', async () => {
    const asked = ask('a');
    await nextTurn();
    expect([transactions.sizes, transactions.alones]).toEqual([[1], 1]);
    await ended();
    expect(await asked).toBe('done a');
  });

  it('lets work of one tenant share a transaction, in the order of keys, and gives each its result', async () => {
    const asked = Promise.all([ask('b'), ask('a'), ask('c', 'other')]);
    await nextTurn();
    expect(transactions.sizes.toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(order.filter((key) => key !== 'c')).toEqual(['a', 'b']);
    await ended();
    await ended();
    expect(await asked).toEqual(['done b', 'done a', 'done c']);
  });

  it('runs work with one key one after the other, in the order in which it was asked for', async () => {
    const started: string[] = [];
    const first = groups.run(TENANT, 'ada', async () => started.push('first'));
    const second = groups.run(TENANT, 'ada', async () => started.push('second'));
    await nextTurn();
    await nextTurn();
    expect(started).toEqual(['first']);
    await ended();
    expect(started).toEqual(['first', 'second']);
    await ended();
    expect(await Promise.all([first, second])).toEqual([1, 2]);
  });

  it('collects what is asked for while a large group is in flight', async () => {
    const asked = keysOf(8).map((key) => ask(key));
    await nextTurn();
    asked.push(...keysOf(7, 'l').map((key) => ask(key)));
    await nextTurn();
    expect(transactions.sizes).toEqual([8]);
    asked.push(ask('m'), ask('n'));
    await nextTurn();
    expect(transactions.sizes).toEqual([8, 9]);
    await ended();
    await ended();
    await Promise.all(asked);
  });

  it('starts another group beside a few pieces of work that take long', async () => {
    const slow = ask('slow');
    await nextTurn();
    const quick = ask('quick');
    await nextTurn();
    expect(transactions.sizes).toEqual([1, 1]);
    transactions.open[1]!.end();
    expect(await quick).toBe('done quick');
    await ended();
    await slow;
  });

  it('limits the size of a group', async () => {
    const asked = keysOf(40).map((key) => ask(key));
    await nextTurn();
    expect(transactions.sizes).toEqual([32]);
    await ended();
    expect(transactions.sizes).toEqual([8]);
    await ended();
    await Promise.all(asked);
  });

  it('repeats each piece of a group that was undone in a transaction of its own', async () => {
    const asked = Promise.allSettled([ask('a'), ask('b')]);
    await nextTurn();
    await ended(new TransactionFailedError(new Error('b is broken'), true, undefined));
    expect(transactions.sizes).toEqual([1, 1]);
    transactions.open[1]!.end(new Error('b is broken'));
    transactions.open[0]!.end();
    const [a, b] = await asked;
    expect(a).toEqual({ status: 'fulfilled', value: 'done a' });
    expect(b).toMatchObject({ status: 'rejected', reason: { message: 'b is broken' } });
  });

  it.each([
    ['a commit that PostgreSQL may have carried out', new TransactionFailedError(new Error('gone'), false, undefined)],
    ['a transaction that was never begun', new Error('gone')],
  ])('repeats nothing after %s', async (_which, error) => {
    const asked = Promise.allSettled([ask('a'), ask('b')]);
    await nextTurn();
    await ended(error);
    expect(transactions.sizes).toEqual([]);
    expect(await asked).toMatchObject(
      Array.from({ length: 2 }, () => ({ status: 'rejected', reason: { message: 'gone' } })),
    );
  });

  it("runs work in its caller's context", async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const askIn = (caller: string) =>
      context.run(caller, () => groups.run(TENANT, caller, async () => seen.push(context.getStore())));
    const asked = Promise.all([askIn('a'), askIn('b')]);
    await nextTurn();
    await ended();
    await asked;
    expect(seen).toEqual(['a', 'b']);
  });
});
