import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LeaseLostError } from '@annals/runtime';
import { claimWork, closeVault, eraseUser, verifyReceipt } from '@annals/storage';
import { VaultUnavailableError } from '@annals/vault';
import { ProjectionFixture } from '../../../../libs/vault/src/projection/projection.fixture.js';
import { SETTINGS } from '../../../../libs/vault/src/git/vault.fixture.js';
import { createVaultJob } from './vault-job.js';
import { createVaultStage } from './vault-stage.js';

const AUDIT = Buffer.alloc(32, 3);
const LEASE_MS = 2_000;

describe('work of the vault', () => {
  let fixture: ProjectionFixture;
  const reasons: string[] = [];
  let users = 0;
  let user: string;
  beforeAll(async () => {
    fixture = await ProjectionFixture.open();
    await keep();
  });
  beforeEach(() => {
    user = `user-${++users}`;
    reasons.length = 0;
  });
  afterAll(() => fixture?.close());

  const erase = async () =>
    (await fixture.database.inTenant(fixture.tenantId, (tx) =>
      eraseUser(tx, { userId: user, actor: 'key:spec', key: AUDIT }, fixture.dependencies),
    ))!.receipt;
  const stage = () =>
    createVaultStage(
      {
        database: fixture.database,
        clock: fixture.clock,
        ids: fixture.ids,
        rng: { nextFloat: () => 0.5 },
        metrics: { inc: () => {}, add: () => {} },
        logger: { info: () => {}, warn: (_event: string, { reason }: { reason: string }) => void reasons.push(reason) },
        secrets: { audit: AUDIT },
      } as never,
      { root: fixture.root, hasGit: true, searchPath: SETTINGS.searchPath, leaseMs: LEASE_MS },
    );
  const claim = async (subjectId: string) => {
    const [row] = await fixture.query<{ generation: number }>(
      `SELECT generation FROM work WHERE kind = 'vault' AND subject_id = $1`,
      [subjectId],
    );
    const { generation } = row!;
    return fixture.database.inTenant(fixture.tenantId, async (tx) => {
      const now = fixture.clock.now();
      const got = await claimWork(tx, { kind: 'vault', subjectId, generation, now, leaseMs: LEASE_MS });
      const input = await stage().load(tx, subjectId);
      if (got.outcome !== 'claimed') throw new Error(got.outcome);
      return { work: { ...got, kind: 'vault', tenantId: fixture.tenantId, subjectId, generation } as never, input };
    });
  };
  const keep = () => createVaultJob(fixture.root).run({ database: fixture.database, clock: fixture.clock } as never);
  const attempt = { signal: new AbortController().signal } as never;

  const run = async (subjectId: string) => {
    const { work, input } = await claim(subjectId);
    return stage().run(work, input, attempt);
  };
  /** Until a worker that was writing has certainly noticed that the user was erased. */
  const settle = () => fixture.clock.advance(LEASE_MS + 60_000);

  it('removes the folder of an erased user behind the lease of whoever may be writing, and signs that', async () => {
    await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    const [subjectId, folder] = [await fixture.subjectOf(user), await fixture.folderOf(user)];
    expect((await erase()).vault).toMatchObject({ state: 'pending', signature: null });
    expect(await run(subjectId)).toMatchObject({ ends: 'deferred', reason: 'not_due' });
    settle();
    await fixture.database.inTenant(fixture.tenantId, (tx) =>
      tx.execute(`UPDATE work SET deferred_reason = NULL WHERE kind = 'vault' AND subject_id = $1`, [subjectId]),
    );
    expect(await run(subjectId)).toEqual({ ends: 'done' });
    expect(existsSync(folder)).toBe(false);
    const receipt = await erase();
    expect(receipt.vault).toMatchObject({ state: 'removed', commits: 1 });
    const faults = (changed: object | null) =>
      verifyReceipt(fixture.database, [AUDIT], { ...receipt, vault: changed as never });
    expect(await faults(receipt.vault)).toEqual([]);
    for (const change of [
      { files: 99 },
      { commits: 0 },
      { requested_at: '2020-01-01T00:00:00.000Z' },
      { signature: null },
    ])
      expect(await faults({ ...receipt.vault, ...change })).toEqual(['forged_removal']);
  });

  it('says that nothing is removed while the volume is away', async () => {
    await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    const [subjectId, folder] = [await fixture.subjectOf(user), await fixture.folderOf(user)];
    await erase();
    settle();
    await rename(fixture.root, `${fixture.root}-away`);
    expect(await run(subjectId)).toMatchObject({ ends: 'deferred', reason: 'vault_unavailable' });
    expect(reasons).toEqual(['ENOENT']);
    await rename(`${fixture.root}-away`, fixture.root);
    expect(existsSync(folder)).toBe(true);
    expect((await erase()).vault).toMatchObject({ state: 'pending' });
  });

  it('asks for the removal once it is on again when somebody was erased meanwhile', async () => {
    await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    const subjectId = await fixture.subjectOf(user);
    await closeVault(fixture.database);
    expect((await erase()).vault).toMatchObject({ state: 'pending' });
    expect(await fixture.query(`SELECT FROM work WHERE subject_id = $1`, [subjectId])).toEqual([]);
    await keep();
    settle();
    expect(await run(subjectId)).toEqual({ ends: 'done' });
    expect((await erase()).vault).toMatchObject({ state: 'removed' });
  });

  it('asks for all vaults again when the first time was interrupted', async () => {
    await fixture.add(user, 'The user likes tea.');
    await closeVault(fixture.database);
    const { database, clock } = fixture;
    const broken = {
      callScalarAcrossTenants: database.callScalarAcrossTenants.bind(database),
      callAcrossTenants: () => Promise.reject(new Error('the database went away')),
    };
    await expect(createVaultJob(fixture.root).run({ database: broken, clock } as never)).rejects.toThrow('went away');
    await keep();
    const subjectId = await fixture.subjectOf(user);
    expect(await fixture.query(`SELECT FROM work WHERE kind = 'vault' AND subject_id = $1`, [subjectId])).toHaveLength(
      1,
    );
  });

  it('leaves no folder behind a worker that slept through an erasure', async () => {
    await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    await fixture.add(user, 'Something else.');
    const [subjectId, folder] = [await fixture.subjectOf(user), await fixture.folderOf(user)];
    const sleeping = await claim(subjectId);
    await erase();
    settle();
    expect(await run(subjectId)).toEqual({ ends: 'done' });
    await expect(stage().run(sleeping.work, sleeping.input, attempt)).rejects.toThrow(LeaseLostError);
    expect(existsSync(folder)).toBe(false);
  });

  it('does not take a missing volume for a new one', async () => {
    await keep();
    await rename(fixture.root, `${fixture.root}-away`);
    await mkdir(fixture.root);
    await expect(keep()).rejects.toThrow(VaultUnavailableError);
    await rm(fixture.root, { recursive: true });
    await rename(`${fixture.root}-away`, fixture.root);
    await keep();
  });

  it('goes with its tenant', async () => {
    await fixture.add(user, 'The user likes tea.');
    expect((await fixture.query(`SELECT FROM work WHERE kind = 'vault'`)).length).toBeGreaterThan(0);
    await fixture.database.callAcrossTenants('delete_tenant', [fixture.tenantId]);
    expect(await fixture.query(`SELECT FROM work WHERE kind = 'vault'`)).toEqual([]);
    await keep();
    expect(existsSync(join(fixture.root, fixture.tenantId))).toBe(false);
  });
});
