import { WriteBehind, type WriteBehindOptions } from './write-behind.js';

interface Note {
  readonly id: string;
  readonly times: number;
}

const note = (id: string, times = 1): Note => ({ id, times });
const outage = () => Object.assign(new Error('No connection.'), { code: 'ECONNREFUSED' });

describe('WriteBehind', () => {
  let written: [string, string[]][];
  let lost: [number, unknown][];
  /** Happens before notes are written. */
  let onWrite: () => Promise<unknown>;
  beforeEach(() => {
    written = [];
    lost = [];
    onWrite = async () => undefined;
  });

  const open = (options: Partial<WriteBehindOptions<Note>> = {}) =>
    new WriteBehind<Note>({
      mostWaiting: 5,
      flushEveryMs: 60_000,
      keyOf: ({ id }) => id,
      write: async (tenantId, notes) => {
        await onWrite();
        written.push([tenantId, notes.map(({ id, times }) => `${id} ${times}`)]);
      },
      onLost: (count, error) => lost.push([count, error]),
      ...options,
    });

  it('writes what waits tenant by tenant, and no more at once than it may', async () => {
    const behind = open({ atATime: 2 });
    behind.keep('a', [note('1'), note('2')]);
    behind.keep('b', [note('1')]);
    behind.keep('a', [note('3')]);
    await behind.flush();
    await behind.flush();
    expect(written).toEqual([
      ['a', ['1 1', '2 1']],
      ['a', ['3 1']],
      ['b', ['1 1']],
    ]);
  });

  it('joins notes with the same key, which take one place', async () => {
    const behind = open({ mostWaiting: 1, merge: (known, { id, times }) => note(id, known.times + times) });
    behind.keep('a', [note('1'), note('1', 2)]);
    await behind.flush();
    expect([written, lost]).toEqual([[['a', ['1 3']]], []]);
  });

  it('loses what has no place, and says how much', async () => {
    const behind = open({ mostWaiting: 2 });
    behind.keep('a', [note('1')]);
    behind.keep('b', [note('2'), note('3'), note('4')]);
    expect(lost).toEqual([[2, undefined]]);
    await behind.flush();
    expect(written).toEqual([
      ['a', ['1 1']],
      ['b', ['2 1']],
    ]);
  });

  it('keeps through an outage what has a place, beside what came meanwhile', async () => {
    const behind = open({ mostWaiting: 3 });
    const error = outage();
    behind.keep('a', [note('1'), note('2'), note('3')]);
    onWrite = async () => {
      behind.keep('b', [note('4')]);
      throw error;
    };
    await behind.flush();
    expect([written, lost]).toEqual([[], [[1, error]]]);
    onWrite = async () => undefined;
    await behind.flush();
    expect(written).toEqual([
      ['b', ['4 1']],
      ['a', ['1 1', '2 1']],
    ]);
  });

  it('loses what another error keeps from being written, and goes on with the other tenants', async () => {
    const behind = open();
    const error = new Error('No such column.');
    behind.keep('a', [note('1'), note('2')]);
    behind.keep('b', [note('3')]);
    onWrite = async () => {
      onWrite = async () => undefined;
      throw error;
    };
    await behind.flush();
    await behind.flush();
    expect([written, lost]).toEqual([[['b', ['3 1']]], [[2, error]]]);
  });

  it('writes by itself after a while', async () => {
    const behind = open({ flushEveryMs: 1 });
    const isWritten = new Promise<void>((resolve) => {
      onWrite = async () => resolve();
    });
    behind.start();
    behind.keep('a', [note('1')]);
    await isWritten;
    await behind.stop();
    expect(written).toEqual([['a', ['1 1']]]);
  });

  it('writes what still waits when it stops, though a flush runs', async () => {
    const behind = open();
    behind.keep('a', [note('1')]);
    let goOn = () => {};
    onWrite = () => new Promise<void>((resolve) => (goOn = resolve));
    const running = behind.flush();
    behind.keep('a', [note('2')]);
    const stopped = behind.stop();
    onWrite = async () => undefined;
    goOn();
    await Promise.all([running, stopped]);
    expect(written).toEqual([
      ['a', ['1 1']],
      ['a', ['2 1']],
    ]);
  });
});
