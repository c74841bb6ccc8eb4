import type { Logger } from '@annals/observability';
import { DatabaseUnavailableError } from '@annals/storage';
import { describeAwaited, waitForStores } from './wait-for-stores.js';

const away = () => new DatabaseUnavailableError(new Error('x'));
const withCode = (code: string) => Object.assign(new Error('x'), { code });
const rng = { nextFloat: () => 0 };

function createOptions() {
  const lines: string[] = [];
  const record = (event: string) => void lines.push(event);
  const stopping = new AbortController();
  return {
    lines,
    stopping,
    options: { rng, signal: stopping.signal, logger: { warn: record, info: record } as unknown as Logger },
  };
}

describe('waitForStores', () => {
  it('retries until PostgreSQL is reachable, and logs the wait once', async () => {
    const { options, lines } = createOptions();
    const open = vi.fn().mockRejectedValueOnce(away()).mockRejectedValueOnce(away()).mockResolvedValue('open');
    expect(await waitForStores(open, options)).toBe('open');
    expect(open).toHaveBeenCalledTimes(3);
    expect(lines).toEqual(['database_unavailable', 'database_available']);
  });

  it('does not retry errors that will not go away', async () => {
    const { options } = createOptions();
    const open = vi.fn().mockRejectedValue(withCode('28P01'));
    await expect(waitForStores(open, options)).rejects.toMatchObject({ code: '28P01' });
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('ends when the signal is aborted', async () => {
    const { options, stopping } = createOptions();
    const waiting = waitForStores(() => Promise.reject(away()), options);
    stopping.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('describeAwaited', () => {
  it.each([
    [away(), 'PostgreSQL'],
    [withCode('42883'), 'the database migration'],
    [withCode('3F000'), 'the database migration'],
    [withCode('42501'), 'the database migration'],
    [withCode('28P01'), undefined],
    [new Error('x'), undefined],
  ])('%o: %j', (error, awaited) => {
    expect(describeAwaited(error)).toBe(awaited);
  });
});
