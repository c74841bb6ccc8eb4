import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { migrate } from '../migrate.js';
import {
  confirmPseudonymKey,
  ensurePseudonymSalt,
  loadTenantSettings,
  loadWritingChecks,
  patchTenantSettings,
} from './tenant-settings.js';
import { deleteTenant, listTenants } from './tenants.js';

const UUID = /^[0-9a-f-]{36}$/;
/** Migrations of the release before tenants had settings. */
const BEFORE_SETTINGS = 3;
/** Migrations of the release before manual memories were checked. */
const BEFORE_WRITING_CHECKS = 5;

describe('settings of a tenant', () => {
  let fixture: StorageFixture;
  let tenant: string;
  let other: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, BEFORE_SETTINGS);
    tenant = await fixture.addTenant();
    await migrate(fixture.testDatabase.admin);
    other = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const load = (id: string) => fixture.inTenant(id, loadTenantSettings);

  it('make a salt at its first use, for tenants of the release before too, and then keep it', async () => {
    const salts = [];
    for (const id of [tenant, other]) {
      expect(await load(id)).toEqual({
        default_country: null,
        personal_ids: null,
        pseudonym_salt: null,
        pseudonym_check: null,
      });
      const salt = await fixture.inTenant(id, ensurePseudonymSalt);
      expect(salt).toMatch(UUID);
      expect(await fixture.inTenant(id, ensurePseudonymSalt)).toBe(salt);
      expect(await load(id)).toMatchObject({ pseudonym_salt: salt });
      salts.push(salt);
    }
    expect(salts[0]).not.toBe(salts[1]);
  });

  it('are changed for one tenant, and only those that are given', async () => {
    await fixture.inTenant(tenant, (tx) => patchTenantSettings(tx, { default_country: 'DE', personal_ids: 'hash' }));
    const patched = await fixture.inTenant(tenant, (tx) => patchTenantSettings(tx, { personal_ids: null }));
    expect(patched).toMatchObject({ id: tenant, default_country: 'DE', personal_ids: null });
    expect(await load(other)).toMatchObject({ default_country: null });
    const { items } = await listTenants(fixture.database, { limit: 10 });
    expect(items.map(({ id, default_country }) => [id, default_country])).toEqual(
      expect.arrayContaining([
        [tenant, 'DE'],
        [other, null],
      ]),
    );
  });

  it('keep the fingerprint of the first key, and none of a salt that was renewed meanwhile', async () => {
    const salt = (await fixture.inTenant(tenant, ensurePseudonymSalt))!;
    const confirm = (check: string) => fixture.inTenant(tenant, (tx) => confirmPseudonymKey(tx, { salt, check }));
    expect(await confirm('first')).toBe('first');
    expect(await confirm('second')).toBe('first');
    await fixture.inTenant(tenant, (tx) => patchTenantSettings(tx, { renew_pseudonyms: true }));
    expect(await load(tenant)).toMatchObject({ pseudonym_salt: null, pseudonym_check: null });
    expect(await fixture.inTenant(tenant, ensurePseudonymSalt)).not.toBe(salt);
    expect(await confirm('second')).toBeNull();
  });

  it('say what happens to badly written memories', async () => {
    const checks = (id: string) => fixture.inTenant(id, loadWritingChecks);
    expect(await checks(tenant)).toBeNull();
    const patched = await fixture.inTenant(tenant, (tx) => patchTenantSettings(tx, { writing_checks: 'refuse' }));
    expect(patched).toMatchObject({ writing_checks: 'refuse', default_country: 'DE' });
    expect([await checks(tenant), await checks(other)]).toEqual(['refuse', null]);
    await fixture.inTenant(tenant, (tx) => patchTenantSettings(tx, { default_country: 'DE' }));
    expect(await checks(tenant)).toBe('refuse');
  });

  it('are gone with their tenant', async () => {
    await deleteTenant(fixture.database, tenant);
    expect(await load(tenant)).toBeNull();
    expect(await fixture.inTenant(tenant, ensurePseudonymSalt)).toBeNull();
    expect(await fixture.inTenant(tenant, (tx) => patchTenantSettings(tx, { personal_ids: 'hash' }))).toBeNull();
  });

  it('are kept by the migration that adds checks of manual memories, which are as configured until set', async () => {
    await installEarlierRelease(fixture, BEFORE_WRITING_CHECKS);
    const id = await fixture.addTenant();
    await fixture.queryAsSuperuser("UPDATE annals.tenants SET default_country = 'DE', personal_ids = 'hash'");
    await migrate(fixture.testDatabase.admin);
    const { items } = await listTenants(fixture.database, { limit: 10 });
    expect(items).toMatchObject([{ id, default_country: 'DE', personal_ids: 'hash', writing_checks: null }]);
    await fixture.inTenant(id, (tx) => patchTenantSettings(tx, { writing_checks: 'off' }));
    expect((await listTenants(fixture.database, { limit: 10 })).items).toMatchObject([{ writing_checks: 'off' }]);
  });
});
