import { ManualClock, SeededRng } from '@annals/domain';
import { ConsoleLinks } from './console-links.js';

const HOUR_MS = 3_600_000;

describe('ConsoleLinks', () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const rng = new SeededRng(1);
  const randomBytes = (size: number) => Uint8Array.from({ length: size }, () => rng.nextFloat() * 256);
  let links: ConsoleLinks;
  beforeEach(() => void (links = new ConsoleLinks(clock, randomBytes)));
  const redeem = async (token: string) => (await links.use(token, () => Promise.resolve('key'))) === 'key';
  const issue = () => links.issue().replace('/console/#/start/', '');

  it('can be used once, also by two at the same time', async () => {
    const token = issue();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await Promise.all([redeem(token), redeem(token)])).toEqual([true, false]);
    expect(await redeem(token)).toBe(false);
  });

  it('can be used again when the first use has failed', async () => {
    const token = issue();
    await expect(links.use(token, () => Promise.reject(new Error('The database is away.')))).rejects.toThrow('away');
    expect(await redeem(token)).toBe(true);
  });

  it('can be used for an hour', async () => {
    const token = issue();
    clock.advance(HOUR_MS - 1);
    expect(await redeem(token)).toBe(true);
    const late = issue();
    clock.advance(HOUR_MS);
    expect(await redeem(late)).toBe(false);
  });

  it('replaces the one before', async () => {
    const [first, second] = [issue(), issue()];
    expect([await redeem(first), await redeem(second)]).toEqual([false, true]);
  });

  it('does not open with another token, and is still there afterwards', async () => {
    expect(await redeem('')).toBe(false);
    const token = issue();
    for (const given of ['', 'guess', `${token}A`, token.slice(1)]) expect(await redeem(given)).toBe(false);
    expect(await redeem(token)).toBe(true);
  });
});
