import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { VAULT_STATE_FOLDER } from '@annals/domain';
import { createTestFolder, removeTestFolders, writeTestFiles } from '../git/vault.fixture.js';
import { removeVault } from './remove-vault.js';
import { findVaultFolders, openVaultFolder, openVaultRoot, requireVaultRoot } from './vault-folder.js';

const OWNER = {
  tenantId: '01980000-0000-7000-8000-000000000001',
  userId: 'ada',
  subjectId: '01980000-0000-7000-8000-0000000000aa',
};

const unavailable = (code: string, place: string) => ({ name: 'VaultUnavailableError', code, place });

async function createRoot(): Promise<string> {
  const root = path.join(await createTestFolder(), 'vault');
  await openVaultRoot(root, NEW);
  return root;
}

const remove = (root: string, commits = 0) => removeVault(root, OWNER, async () => commits);

const NEW = { known: null, next: '01980000-0000-7000-8000-0000000000ff' };
const OTHER = '01980000-0000-7000-8000-0000000000fe';

describe('the root of the vault', () => {
  afterAll(removeTestFolders);

  it('is made, and known again', async () => {
    const root = path.join(await createTestFolder(), 'new/vault');
    expect(await openVaultRoot(root, NEW)).toBe(NEW.next);
    expect(await openVaultRoot(root, { ...NEW, next: OTHER })).toBe(NEW.next);
    expect(await openVaultRoot(root, { known: NEW.next, next: OTHER })).toBe(NEW.next);
    await expect(openVaultRoot(root, { known: OTHER, next: OTHER })).rejects.toMatchObject(unavailable('ENOENT', root));
    await requireVaultRoot(root);
  });

  it('is absent while its volume is away: nothing is made in its place, and nothing counts as removed', async () => {
    const root = await createRoot();
    await openVaultFolder(root, OWNER);
    await rename(root, `${root}-away`);
    for (const isThere of [false, true]) {
      // The empty place where a volume is mounted.
      if (isThere) await mkdir(root);
      const absent = unavailable('ENOENT', root);
      await expect(requireVaultRoot(root)).rejects.toMatchObject(absent);
      await expect(openVaultRoot(root, { known: NEW.next, next: OTHER })).rejects.toMatchObject(absent);
      await expect(openVaultFolder(root, OWNER)).rejects.toMatchObject(absent);
      await expect(remove(root)).rejects.toMatchObject(absent);
      expect(await readdir(path.dirname(root))).toEqual(isThere ? ['vault', 'vault-away'] : ['vault-away']);
    }
    expect(await readdir(root)).toEqual([]);
    await rm(root, { recursive: true });
    await rename(`${root}-away`, root);
    expect(await remove(root, 3)).toEqual({ files: 2, commits: 3 });
  });

  it('is not taken when something else is in the place of its mark, or of itself', async () => {
    const root = await createTestFolder();
    await mkdir(path.join(root, '.annals-vault.json'));
    const place = path.join(root, '.annals-vault.json');
    await expect(openVaultRoot(root, NEW)).rejects.toMatchObject(unavailable('EEXIST', place));
    await rm(place, { recursive: true });
    await symlink(path.join(root, 'elsewhere.json'), place);
    await expect(openVaultRoot(root, NEW)).rejects.toMatchObject(unavailable('EEXIST', place));
    await expect(requireVaultRoot(root)).rejects.toMatchObject(unavailable('ENOENT', root));
    await writeFile(path.join(root, 'file'), '');
    for (const wrong of [path.join(root, 'file'), path.join(root, 'file/vault')])
      await expect(openVaultRoot(wrong, NEW)).rejects.toMatchObject(unavailable('ENOTDIR', wrong));
  });
});

describe('the folder of a user', () => {
  afterAll(removeTestFolders);

  it('is made with that of its tenant, and says whose it is', async () => {
    const root = await createRoot();
    const folder = await openVaultFolder(root, OWNER);
    expect(await openVaultFolder(root, OWNER)).toBe(folder);
    const owner = await readFile(path.join(folder, VAULT_STATE_FOLDER, 'vault.json'), 'utf8');
    expect(JSON.parse(owner)).toMatchObject({ tenant_id: OWNER.tenantId, subject_id: OWNER.subjectId });
    expect(await findVaultFolders(root, OWNER.tenantId, OWNER.subjectId)).toEqual([{ place: folder, isFolder: true }]);
  });

  it.each(['the user', 'the tenant'])('is not written through a link in the place of %s', async (whose) => {
    const root = await createRoot();
    const folder = await openVaultFolder(root, OWNER);
    const place = whose === 'the user' ? folder : path.dirname(folder);
    await rm(place, { recursive: true });
    const outside = await createTestFolder();
    await symlink(outside, place);
    await expect(openVaultFolder(root, OWNER)).rejects.toMatchObject(unavailable('ENOTDIR', place));
    await expect(openVaultFolder(root, OWNER)).rejects.toThrow(/Move it away, and put the folder there/);
    expect(await readdir(outside)).toEqual([]);
    await rm(place);
    await writeFile(place, 'a file');
    await expect(openVaultFolder(root, OWNER)).rejects.toMatchObject(unavailable('ENOTDIR', place));
  });

  it('is not opened while its state cannot be written', async () => {
    const root = await createRoot();
    const folder = await openVaultFolder(root, OWNER);
    await rm(path.join(folder, VAULT_STATE_FOLDER), { recursive: true });
    const outside = await createTestFolder();
    await symlink(outside, path.join(folder, VAULT_STATE_FOLDER));
    await expect(openVaultFolder(root, OWNER)).rejects.toMatchObject({ name: 'VaultUnavailableError', code: 'EEXIST' });
    expect(await readdir(outside)).toEqual([]);
  });
});

describe('the removal of a vault', () => {
  afterAll(removeTestFolders);

  it('removes nothing twice, and finds nothing for a tenant without a folder', async () => {
    const root = await createRoot();
    expect(await remove(root)).toEqual({ files: 0, commits: 0 });
    await writeTestFiles(await openVaultFolder(root, OWNER), { 'entries/a.md': 'A' });
    expect(await remove(root, 2)).toEqual({ files: 3, commits: 2 });
    expect(await remove(root, 2)).toEqual({ files: 0, commits: 0 });
  });

  it('says of no link that it was removed: its target holds the words', async () => {
    const root = await createRoot();
    const folder = await openVaultFolder(root, OWNER);
    await writeTestFiles(folder, { 'a.md': 'words' });
    const outside = path.join(await createTestFolder(), 'moved');
    await rename(folder, outside);
    await symlink(outside, folder);
    // The same person under a former name.
    const other = await openVaultFolder(root, { ...OWNER, userId: 'countess' });
    await expect(remove(root)).rejects.toMatchObject(unavailable('ENOTDIR', folder));
    await expect(remove(root)).rejects.toMatchObject(unavailable('ENOTDIR', folder));
    expect(await readFile(path.join(outside, 'a.md'), 'utf8')).toBe('words');
    expect(await readdir(path.dirname(folder))).not.toContain(path.basename(other));

    await rm(folder);
    await rename(outside, folder);
    expect(await remove(root)).toEqual({ files: 3, commits: 0 });
  });

  it('does not go through a link in the place of the tenant', async () => {
    const root = await createRoot();
    const folder = await openVaultFolder(root, OWNER);
    const tenant = path.dirname(folder);
    const outside = path.join(await createTestFolder(), 'moved');
    await rename(tenant, outside);
    await symlink(outside, tenant);
    await expect(remove(root)).rejects.toMatchObject(unavailable('ENOTDIR', tenant));
    expect(await readdir(outside)).toEqual([path.basename(folder)]);
  });
});
