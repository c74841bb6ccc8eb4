import { StorageFixture } from '../fixtures/storage.fixture.js';
import { type BootstrapKey, ensureBootstrapKey, ensureOperatorKey, hashApiKey } from './ensure-key.js';
import { findApiKey, revokeApiKey } from './api-keys.js';

describe('provisioned keys', () => {
  let fixture: StorageFixture;
  let installations = 0;
  let text: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(() => {
    text = `ann_given-to-installation-${++installations}`;
  });
  afterAll(() => fixture.close());

  const provisionedKey = () => ({ text, now: fixture.clock.now(), ids: fixture.ids });
  const find = () => findApiKey(fixture.database, hashApiKey(text));

  describe('ensureBootstrapKey', () => {
    const ensure = (ifRevoked: BootstrapKey['ifRevoked']) =>
      ensureBootstrapKey(fixture.database, { ...provisionedKey(), operator: false, ifRevoked });
    const revoke = async () => {
      const { tenantId, keyId } = (await find())!;
      await fixture.inTenant(tenantId!, (tx) => revokeApiKey(tx, keyId, fixture.clock.now()));
    };

    it('creates the key once, also when called concurrently', async () => {
      const created = await Promise.all([1, 2, 3, 4].map(() => ensure('leave')));
      expect(created.map(({ isValid }) => isValid)).toEqual([true, true, true, true]);
      expect(await ensure('leave')).toEqual(created[0]);
      expect(await find()).toMatchObject({ tenantId: created[0]!.tenantId, operator: false });
      expect(
        await fixture.queryAsSuperuser('SELECT FROM api_keys WHERE key_hash = $1', [hashApiKey(text)]),
      ).toHaveLength(1);
    });

    it('leaves a revoked key revoked at the next migration, and returns so', async () => {
      await ensure('leave');
      await revoke();
      expect(await ensure('leave')).toMatchObject({ isValid: false });
      expect(await find()).toBeNull();
    });

    it('makes a revoked key valid again when `ifRevoked` is `renew`', async () => {
      await ensure('renew');
      await revoke();
      expect(await ensure('renew')).toMatchObject({ isValid: true });
      expect(await find()).not.toBeNull();
    });
  });

  describe('ensureOperatorKey', () => {
    const ensure = () => ensureOperatorKey(fixture.testDatabase.admin, provisionedKey());

    it('keeps the key valid at every migration', async () => {
      expect([await ensure(), await ensure()]).toEqual([true, true]);
      expect(await find()).toMatchObject({ operator: true, tenantId: null });
    });

    it('leaves a revoked key revoked at the next migration, and returns so', async () => {
      await ensure();
      await fixture.queryAsSuperuser('UPDATE operator_keys SET revoked_at = now() WHERE key_hash = $1', [
        hashApiKey(text),
      ]);
      expect(await ensure()).toBe(false);
      expect(await find()).toBeNull();
    });
  });
});
