import { WriteBehind, type WriteBehindOptions } from './write-behind.js';

interface Entry {
  readonly id: string;
  readonly times: number;
}

const entry = (id: string, times = 1): Entry => ({ id, times });
const outage = () => Object.assign(new Error('No connection.'), { code: 'ECONNREFUSED' });

describe('WriteBehind', () => {
  let written: [string, string[]][];
  /** Metrics and log lines about dropped entries. */
  let reported: unknown[][];
  /** Runs before entries are written. */
  let onWrite: () => Promise<unknown>;
  beforeEach(() => {
    written = [];
    reported = [];
    onWrite = async () => undefined;
  });

  const open = (options: Partial<WriteBehindOptions<Entry>> = {}) =>
    new WriteBehind<Entry>(
      {
        maxPending: 5,
        flushIntervalMs: 60_000,
        keyOf: ({ id }) => id,
        write: async (tenantId, entries) => {
          await onWrite();
          written.push([tenantId, entries.map(({ id, times }) => `${id} ${times}`)]);
        },
        droppedMetric: 'memory_llm_events_dropped_total',
        failureEvent: 'event_log_failed',
        ...options,
      },
      {
        metrics: { add: (...metric: unknown[]) => reported.push(metric) },
        logger: { error: (...line: unknown[]) => reported.push(line) },
      },
    );
  const counted = (dropped: number) => ['memory_llm_events_dropped_total', dropped];
  const failed = (dropped: number, error: Error) => [counted(dropped), ['event_log_failed', { dropped, error }]];

  it('writes the queue tenant by tenant, in groups of at most batchSize', async () => {
    const behind = open({ batchSize: 2 });
    behind.enqueue('a', [entry('1'), entry('2')]);
    behind.enqueue('b', [entry('1')]);
    behind.enqueue('a', [entry('3')]);
    await behind.flush();
    await behind.flush();
    expect(written).toEqual([
      ['a', ['1 1', '2 1']],
      ['a', ['3 1']],
      ['b', ['1 1']],
    ]);
  });

  it('merges entries with the same key, which count once', async () => {
    const behind = open({ maxPending: 1, merge: (known, { id, times }) => entry(id, known.times + times) });
    behind.enqueue('a', [entry('1'), entry('1', 2)]);
    await behind.flush();
    expect([written, reported]).toEqual([[['a', ['1 3']]], []]);
  });

  it('drops entries when the queue is full, and counts them', async () => {
    const behind = open({ maxPending: 2 });
    behind.enqueue('a', [entry('1')]);
    behind.enqueue('b', [entry('2'), entry('3'), entry('4')]);
    expect(reported).toEqual([counted(2)]);
    await behind.flush();
    expect(written).toEqual([
      ['a', ['1 1']],
      ['b', ['2 1']],
    ]);
  });

  it('retains queued entries through an outage, together with new ones', async () => {
    const behind = open({ maxPending: 3 });
    const error = outage();
    behind.enqueue('a', [entry('1'), entry('2'), entry('3')]);
    onWrite = async () => {
      behind.enqueue('b', [entry('4')]);
      throw error;
    };
    await behind.flush();
    expect([written, reported]).toEqual([[], failed(1, error)]);
    onWrite = async () => undefined;
    await behind.flush();
    expect(written).toEqual([
      ['b', ['4 1']],
      ['a', ['1 1', '2 1']],
    ]);
  });

  it('drops the entries of a failed write, and continues with the other tenants', async () => {
    const behind = open();
    const error = new Error('No such column.');
    behind.enqueue('a', [entry('1'), entry('2')]);
    behind.enqueue('b', [entry('3')]);
    onWrite = async () => {
      onWrite = async () => undefined;
      throw error;
    };
    await behind.flush();
    await behind.flush();
    expect([written, reported]).toEqual([[['b', ['3 1']]], failed(2, error)]);
  });

  it('flushes periodically', async () => {
    const behind = open({ flushIntervalMs: 1 });
    const isWritten = new Promise<void>((resolve) => {
      onWrite = async () => resolve();
    });
    behind.start();
    behind.enqueue('a', [entry('1')]);
    await isWritten;
    await behind.stop();
    expect(written).toEqual([['a', ['1 1']]]);
  });

  it('writes the rest of the queue when it stops, even during a flush', async () => {
    const behind = open();
    behind.enqueue('a', [entry('1')]);
    let goOn = () => {};
    onWrite = () => new Promise<void>((resolve) => (goOn = resolve));
    const running = behind.flush();
    behind.enqueue('a', [entry('2')]);
    const stopped = behind.stop();
    onWrite = async () => undefined;
    goOn();
    await Promise.all([running, stopped]);
    expect(written).toEqual([
      ['a', ['1 1']],
      ['a', ['2 1']],
    ]);
  });

  it('writes what was added since it was stopped when it is stopped again', async () => {
    const behind = open();
    behind.enqueue('a', [entry('1')]);
    const first = behind.stop();
    behind.enqueue('a', [entry('2')]);
    await first;
    behind.enqueue('a', [entry('3')]);
    await behind.stop();
    expect(written.flatMap(([, entries]) => entries)).toEqual(['1 1', '2 1', '3 1']);
  });
});
