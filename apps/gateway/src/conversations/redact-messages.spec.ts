import { MAX_SLICE_UNITS, runAtOnce } from '@annals/domain';
import { HOSTILE_TEXTS } from '@annals/testing';
import { createSecretKey } from 'node:crypto';
import { redactMessages } from './redact-messages.js';

describe('redactMessages', () => {
  const secret = createSecretKey(Buffer.alloc(32, 7));
  const context = { secret, acceptedSecrets: [], tenantId: 't1', redaction: {}, now: 1_000 } as const;
  const redact = (...input: Parameters<typeof redactMessages>) => runAtOnce(redactMessages(...input));
  const message = (content: string) => ({ role: 'user' as const, content });

  it('redacts, counts, and sets the time of messages without one to now', () => {
    const { messages, counts } = redact(
      [message('Mail eve@example.com.'), { ...message('Hi.'), created_at: '1970-01-01T00:00:02.000Z', id: 'm' }],
      context,
    );
    expect(messages).toMatchObject([
      { content: 'Mail [redacted email].', saidAt: 1_000, externalId: null },
      { content: 'Hi.', saidAt: 2_000, externalId: 'm' },
    ]);
    expect(counts.EMAIL).toBe(1);
  });

  /** How many units of messages were redacted between two yields. */
  const measureSlices = (content: string, count: number): number[] => {
    let units = 0;
    const messages = Array.from({ length: count }, () => ({
      content,
      // Read once, when the message has been redacted.
      get role() {
        units += content.length;
        return 'user' as const;
      },
    }));
    const work = redactMessages(messages, context);
    const slices: number[] = [];
    for (let isDone = false; !isDone;) {
      units = 0;
      isDone = work.next().done === true;
      slices.push(units);
    }
    return slices;
  };

  it.each(HOSTILE_TEXTS)('yields between messages of $name, after at most 16 kB of them', ({ make }) => {
    const slices = measureSlices(make(6_000), 8);
    expect(Math.max(...slices)).toBeLessThanOrEqual(MAX_SLICE_UNITS);
    expect(slices.reduce((sum, units) => sum + units, 0)).toBe(48_000);
    expect(slices.length).toBeGreaterThanOrEqual(4);
  });

  it.each(HOSTILE_TEXTS)('yields inside of a long message of $name', ({ make }) => {
    const length = 40_000;
    expect(measureSlices(make(length), 1).length).toBeGreaterThanOrEqual(Math.ceil(length / MAX_SLICE_UNITS));
  });

  it('lets short messages share a slice', () => {
    expect(measureSlices('I like tea. '.repeat(500), 8)).toEqual([12_000, 12_000, 12_000, 12_000]);
  });

  it('computes an HMAC that differs for contents that are equal once redacted, and between tenants', () => {
    const hmacOf = (content: string, tenantId = 't1') =>
      redact([message(content)], { ...context, tenantId }).messages[0]!.contentHmac.toString('hex');
    expect(hmacOf('Mail eve@example.com.')).toBe(hmacOf('Mail eve@example.com.'));
    expect(hmacOf('Mail eve@example.com.')).not.toBe(hmacOf('Mail bob@example.com.'));
    expect(hmacOf('Hi.')).not.toBe(hmacOf('Hi.', 't2'));
  });
});
