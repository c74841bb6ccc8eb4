import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LeaseLostError } from '@annals/runtime';
import { closeVault, findReceipt, verifyReceipt } from '@annals/storage';
import { VaultUnavailableError } from '@annals/vault';
import { AUDIT_KEY, VaultStageFixture } from './vault-stage.fixture.js';

describe('work of the vault', () => {
  let fixture: VaultStageFixture;
  let users = 0;
  /** Another user for each test, who has a folder. */
  let user: string;
  let subjectId: string;

  beforeAll(async () => {
    fixture = await VaultStageFixture.open();
  });
  beforeEach(async () => {
    user = `user-${++users}`;
    await fixture.add(user, 'The password is xyzzy.');
    subjectId = await fixture.subjectOf(user);
    expect(await fixture.run(subjectId)).toEqual({ ends: 'done' });
    expect(await fixture.findFolders(subjectId)).toHaveLength(1);
    fixture.reasons.length = 0;
  });
  afterAll(() => fixture?.close());

  const readReceipt = async (id: string) =>
    (await fixture.database.readTenant(fixture.tenantId, (tx) => findReceipt(tx, id)))!;

  it('removes the folder of an erased user behind the lease of whoever may be writing', async () => {
    const { id, vault } = await fixture.erase(user);
    expect(vault).toMatchObject({ state: 'pending', signature: null });
    expect((await readReceipt(id)).vault).toEqual(vault);
    expect(await fixture.run(subjectId)).toMatchObject({ ends: 'deferred', reason: 'not_due' });
    expect(await fixture.findFolders(subjectId)).toHaveLength(1);
  });

  it('signs what was removed: a receipt that says something else does not verify', async () => {
    await fixture.erase(user);
    fixture.settle();
    expect(await fixture.run(subjectId)).toEqual({ ends: 'done' });
    expect(await fixture.findFolders(subjectId)).toEqual([]);
    const receipt = await fixture.erase(user);
    expect(receipt.vault).toMatchObject({ state: 'removed', commits: 1 });
    const read = await readReceipt(receipt.id);
    expect(read.vault).toEqual(receipt.vault);
    expect(await verifyReceipt(fixture.database, [AUDIT_KEY], read)).toEqual([]);
    const faults = (changed: object) =>
      verifyReceipt(fixture.database, [AUDIT_KEY], { ...receipt, vault: { ...receipt.vault!, ...changed } });
    expect(await faults({})).toEqual([]);
    const earlier = '2020-01-01T00:00:00.000Z';
    for (const change of [{ files: 99 }, { commits: 0 }, { requested_at: earlier }, { signature: null }])
      expect(await faults(change)).toEqual(['forged_removal']);
  });

  it('says of each erasure what became of its files when the user has returned', async () => {
    const { id } = await fixture.erase(user);
    fixture.settle();
    await fixture.run(subjectId);
    await fixture.add(user, 'The password is plugh.');
    await fixture.run(await fixture.subjectOf(user));
    const again = await fixture.erase(user);
    expect(again.id).not.toBe(id);
    expect((await readReceipt(id)).vault).toMatchObject({ state: 'removed' });
    expect((await readReceipt(again.id)).vault).toMatchObject({ state: 'pending' });
  });

  it('says that nothing is removed while the volume is away', async () => {
    await fixture.erase(user);
    fixture.settle();
    await rename(fixture.root, `${fixture.root}-away`);
    expect(await fixture.run(subjectId)).toMatchObject({ ends: 'deferred', reason: 'vault_unavailable' });
    expect(fixture.reasons).toEqual(['ENOENT']);
    await rename(`${fixture.root}-away`, fixture.root);
    expect((await fixture.erase(user)).vault).toMatchObject({ state: 'pending' });
  });

  it('asks for the removal once it is on again when somebody was erased meanwhile', async () => {
    await closeVault(fixture.database, { abandons: false });
    expect((await fixture.erase(user)).vault).toMatchObject({ state: 'pending' });
    expect(await fixture.findWork()).toEqual([]);
    await fixture.keep();
    fixture.settle();
    expect(await fixture.run(subjectId)).toEqual({ ends: 'done' });
    expect((await fixture.erase(user)).vault).toMatchObject({ state: 'removed' });
  });

  it('asks for all vaults again when the first time was interrupted', async () => {
    await closeVault(fixture.database, { abandons: false });
    const { database } = fixture;
    const broken = {
      callScalarAcrossTenants: database.callScalarAcrossTenants.bind(database),
      callAcrossTenants: () => Promise.reject(new Error('the database went away')),
    };
    await expect(fixture.keep(broken)).rejects.toThrow('went away');
    expect(await fixture.findWork(subjectId)).toEqual([]);
    await fixture.keep();
    expect(await fixture.findWork(subjectId)).toHaveLength(1);
  });

  it('leaves no folder behind a worker that slept through an erasure', async () => {
    await fixture.add(user, 'Something else.');
    const sleeping = await fixture.claim(subjectId);
    await fixture.erase(user);
    fixture.settle();
    expect(await fixture.run(subjectId)).toEqual({ ends: 'done' });
    await expect(fixture.finish(sleeping)).rejects.toThrow(LeaseLostError);
    expect(await fixture.findFolders(subjectId)).toEqual([]);
  });

  it('does not take a missing volume for a new one', async () => {
    await rename(fixture.root, `${fixture.root}-away`);
    await mkdir(fixture.root);
    await expect(fixture.keep()).rejects.toThrow(VaultUnavailableError);
    await rm(fixture.root, { recursive: true });
    await rename(`${fixture.root}-away`, fixture.root);
    await fixture.keep();
  });

  it('goes with its tenant', async () => {
    await fixture.add(user, 'The user likes tea.');
    expect((await fixture.findWork()).length).toBeGreaterThan(0);
    await fixture.database.callAcrossTenants('delete_tenant', [fixture.tenantId]);
    expect(await fixture.findWork()).toEqual([]);
    await fixture.keep();
    expect(existsSync(join(fixture.root, fixture.tenantId))).toBe(false);
  });
});
