import { StorageFixture } from '../fixtures/storage.fixture.js';
import {
  type BootstrapKey,
  ensureBootstrapKey,
  ensureOperatorKey,
  findApiKey,
  hashApiKey,
  revokeApiKey,
} from './index.js';

describe('keys that are given at an installation', () => {
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

  const given = () => ({ text, now: fixture.clock.now(), ids: fixture.ids });
  const find = () => findApiKey(fixture.database, hashApiKey(text));

  describe("the tenant's first", () => {
    const ensure = (ifRevoked: BootstrapKey['ifRevoked']) =>
      ensureBootstrapKey(fixture.database, { ...given(), operator: false, ifRevoked });
    const revoke = async () => {
      const { tenantId, keyId } = (await find())!;
      await fixture.inTenant(tenantId!, (tx) => revokeApiKey(tx, keyId, fixture.clock.now()));
    };

    it('is made once, however many start at once', async () => {
      const made = await Promise.all([1, 2, 3, 4].map(() => ensure('leave')));
      expect(made.map(({ isValid }) => isValid)).toEqual([true, true, true, true]);
      expect(await ensure('leave')).toEqual(made[0]);
      expect(await find()).toMatchObject({ tenantId: made[0]!.tenantId, operator: false });
      expect(
        await fixture.queryAsSuperuser('SELECT FROM api_keys WHERE key_hash = $1', [hashApiKey(text)]),
      ).toHaveLength(1);
    });

    it('stays revoked at the next migration, which is told so', async () => {
      await ensure('leave');
      await revoke();
      expect(await ensure('leave')).toMatchObject({ isValid: false });
      expect(await find()).toBeNull();
    });

    it('is valid again where whoever starts the process owns it', async () => {
      await ensure('renew');
      await revoke();
      expect(await ensure('renew')).toMatchObject({ isValid: true });
      expect(await find()).not.toBeNull();
    });
  });

  describe("the operator's", () => {
    const ensure = () => ensureOperatorKey(fixture.testDatabase.admin, given());

    it('is valid at every migration', async () => {
      expect([await ensure(), await ensure()]).toEqual([true, true]);
      expect(await find()).toMatchObject({ operator: true, tenantId: null });
    });

    it('stays revoked at the next migration, which is told so', async () => {
      await ensure();
      await fixture.queryAsSuperuser('UPDATE operator_keys SET revoked_at = now() WHERE key_hash = $1', [
        hashApiKey(text),
      ]);
      expect(await ensure()).toBe(false);
      expect(await find()).toBeNull();
    });
  });
});
