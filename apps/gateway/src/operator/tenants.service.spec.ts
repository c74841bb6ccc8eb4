import { uuidSchema } from '@annals/contracts';
import { deriveTenantId } from './tenants.service.js';

describe('deriveTenantId', () => {
  const secret = Buffer.from('secret');

  it('returns the same UUIDv8 for the same key, and a different one for another key or secret', () => {
    const id = deriveTenantId(secret, 'k1');
    expect(uuidSchema.safeParse(id).success).toBe(true);
    expect(id[14]).toBe('8');
    expect(deriveTenantId(secret, 'k1')).toBe(id);
    expect(deriveTenantId(secret, 'k2')).not.toBe(id);
    expect(deriveTenantId(Buffer.from('other'), 'k1')).not.toBe(id);
  });
});
