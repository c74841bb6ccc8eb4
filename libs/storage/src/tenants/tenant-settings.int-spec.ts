import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { migrate } from '../migrate.js';
import {
  confirmPseudonymKey,
  ensurePseudonymSalt,
  loadTenantSettings,
  patchTenantSettings,
} from './tenant-settings.js';
import { deleteTenant, listTenants } from './tenants.js';

const UUID = /^[0-9a-f-]{36}$/;
/** Migrations of the release before tenants had settings. */
const BEFORE_SETTINGS = 3;

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

  it('are gone with their tenant', async () => {
    await deleteTenant(fixture.database, tenant);
    expect(await load(tenant)).toBeNull();
    expect(await fixture.inTenant(tenant, ensurePseudonymSalt)).toBeNull();
    expect(await fixture.inTenant(tenant, (tx) => patchTenantSettings(tx, { personal_ids: 'hash' }))).toBeNull();
  });
});
