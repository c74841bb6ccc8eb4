import { deriveImportedId } from './derive-imported-id.js';

const KEY = new Uint8Array(32).fill(7);
const OWNER = { tenantId: '0190a8a0-0000-7000-8000-000000000001', userId: 'ann', source: 'mem0' };

describe('the derived id of an imported record', () => {
  it('is a UUID of version 8, and the same each time', () => {
    const id = deriveImportedId(KEY, OWNER, 'memory', 'm1');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(deriveImportedId(KEY, OWNER, 'memory', 'm1')).toBe(id);
  });

  it.each([
    ['tenants', { ...OWNER, tenantId: '0190a8a0-0000-7000-8000-000000000002' }, 'memory', 'm1', KEY],
    ['users', { ...OWNER, userId: 'bob' }, 'memory', 'm1', KEY],
    ['sources', { ...OWNER, source: 'annals' }, 'memory', 'm1', KEY],
    ['kinds', OWNER, 'message', 'm1', KEY],
    ['records', OWNER, 'memory', 'm2', KEY],
    ['keys', OWNER, 'memory', 'm1', new Uint8Array(32).fill(8)],
  ] as const)('differs between %s', (_what, owner, kind, id, key) => {
    expect(deriveImportedId(key, owner, kind, id)).not.toBe(deriveImportedId(KEY, OWNER, 'memory', 'm1'));
  });
});
