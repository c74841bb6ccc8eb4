import { createSecretKey } from 'node:crypto';
import { redactMessages } from './redact-messages.js';

describe('redactMessages', () => {
  const secret = createSecretKey(Buffer.alloc(32, 7));
  const context = { secret, tenantId: 't1', redaction: {}, now: 1_000 } as const;
  const message = (content: string) => ({ role: 'user' as const, content });

  it('redacts, counts, and sets the time of messages without one to now', () => {
    const { messages, counts } = redactMessages(
      [message('Mail eve@example.com.'), { ...message('Hi.'), created_at: '1970-01-01T00:00:02.000Z', id: 'm' }],
      context,
    );
    expect(messages).toMatchObject([
      { content: 'Mail [redacted email].', saidAt: 1_000, externalId: null },
      { content: 'Hi.', saidAt: 2_000, externalId: 'm' },
    ]);
    expect(counts.EMAIL).toBe(1);
  });

  it('computes an HMAC that differs for contents that are equal once redacted, and between tenants', () => {
    const hmacOf = (content: string, tenantId = 't1') =>
      redactMessages([message(content)], { ...context, tenantId }).messages[0]!.contentHmac.toString('hex');
    expect(hmacOf('Mail eve@example.com.')).toBe(hmacOf('Mail eve@example.com.'));
    expect(hmacOf('Mail eve@example.com.')).not.toBe(hmacOf('Mail bob@example.com.'));
    expect(hmacOf('Hi.')).not.toBe(hmacOf('Hi.', 't2'));
  });
});
