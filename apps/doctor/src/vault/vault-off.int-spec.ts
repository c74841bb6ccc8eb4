import { ManualClock } from '@annals/domain';
import { openEmbeddedDatabase, openVault } from '@annals/storage';
import { fillDataFolder } from '@annals/testing';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVaultCheck, runVaultOff } from './vault.js';
import { SECRET_KEY, VaultFixture } from './vault.fixture.js';

describe('annals vault off', () => {
  it('ends what asks for the vault, and says that the folder stays', async () => {
    const fixture = await VaultFixture.open();
    try {
      const tenantId = await fixture.addTenant('acme');
      await fixture.remember(tenantId, 'ada', ['Ada likes tea.']);
      const off = () => runVaultOff({ env: fixture.env, clock: fixture.clock, emit: () => undefined });
      const first = await off();
      expect(first).toMatchObject({
        exitCode: 0,
        findings: [
          { check: 'vault.off', verdict: 'ok' },
          { check: 'vault.folder', verdict: 'warn' },
        ],
      });
      await fixture.remember(tenantId, 'bob', ['Bob rows.']);
      const { rows } = await fixture.superuser.query(`SELECT id FROM work WHERE kind = 'vault'`);
      expect(rows).toEqual([]);
      expect(existsSync(fixture.root)).toBe(true);
      expect((await off()).findings[0]).toMatchObject({ check: 'vault.off', verdict: 'skip' });
      expect(await openVault(fixture.database)).toEqual({ isAsked: false, vaultId: null });
    } finally {
      await fixture.close();
    }
  });
});

describe('annals vault in a folder', () => {
  it('opens the data folder of the embedded profile, and refuses one that is in use', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'annals-vault-data-'));
    const [dataDir, root] = [join(folder, 'data'), join(folder, 'vault')];
    const options = { clock: new ManualClock(Date.UTC(2026, 0, 5)), emit: () => undefined };
    const env = { ANNALS_DATA_DIR: dataDir, ANNALS_VAULT_PATH: root };
    const request = { tenant: null, user: null, repairs: false };
    try {
      await fillDataFolder(dataDir);
      mkdirSync(root);
      writeFileSync(join(dataDir, 'secret.key'), `${SECRET_KEY}\n`);
      const opened = await openEmbeddedDatabase({ location: { folder: dataDir } });
      const inUse = { exitCode: 69, findings: [{ found: expect.stringMatching(/in use/) }] };
      expect(await runVaultCheck({ ...options, env, request })).toMatchObject(inUse);
      expect(await runVaultOff({ ...options, env })).toMatchObject(inUse);
      await opened.close();
      expect(await runVaultCheck({ ...options, env, request })).toMatchObject({ exitCode: 0, findings: [] });
      expect(await runVaultOff({ ...options, env })).toMatchObject({ exitCode: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
