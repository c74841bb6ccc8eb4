import { execFile } from 'node:child_process';
import { appendFile, cp, lstat, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readIfThere } from './git-folder.js';
import { removeTornObjects } from './loose-objects.js';
import { VaultRepository } from './repository.js';
import {
  createTestFolder,
  createTestVault,
  removeTestFolders,
  runPersonsGit,
  SETTINGS,
  type TestVault,
} from './vault.fixture.js';

const FILES = ['HEAD', 'config', 'index', 'packed-refs', 'refs/heads/main'];
const FOLDERS = ['objects', 'objects/pack', 'objects/info', 'refs', 'refs/heads', 'logs', 'info'];
const UNSUPPORTED = { name: 'GitError', code: 'unsupported' };

async function makePipe(place: string): Promise<void> {
  await rm(place, { force: true });
  await promisify(execFile)('mkfifo', [place]);
}

/** A history in a pack, with everything that a repository may have. */
async function createWholeVault(): Promise<TestVault> {
  const vault = await createTestVault();
  await vault.commit({ 'a.md': 'A', 'b.md': 'B' });
  await vault.commit({ 'a.md': 'A2' });
  await vault.git('repack', '-adq');
  await vault.git('pack-refs', '--all');
  await vault.commit({ 'a.md': 'A3' });
  await Promise.all(['info', 'objects/info'].map((name) => mkdir(inGit(vault, name), { recursive: true })));
  return vault;
}

function inGit({ folder }: TestVault, name: string): string {
  return path.join(folder, '.git', name);
}

/** All that the vault does with a repository. */
async function expectRefused(vault: TestVault): Promise<void> {
  await expect(vault.reopen()).rejects.toMatchObject(UNSUPPORTED);
  await expect(vault.commit({ 'a.md': 'other' })).rejects.toMatchObject(UNSUPPORTED);
  await expect(vault.repository.forget({ keep: (name) => name !== 'b.md' })).rejects.toMatchObject(UNSUPPORTED);
  await expect(vault.repository.count()).rejects.toMatchObject(UNSUPPORTED);
}

describe('a repository that the vault does not write', () => {
  afterAll(removeTestFolders);

  it.each([...FILES, 'logs/HEAD', 'info/exclude'])(
    'has a pipe as %s, which would make everybody wait',
    async (name) => {
      const vault = await createWholeVault();
      await makePipe(inGit(vault, name));
      await expectRefused(vault);
      await expect(vault.reopen()).rejects.toThrow(/Move \.git away/);
    },
  );

  it.each(['HEAD', 'config', 'index', 'packed-refs'])('has a folder as %s', async (name) => {
    const vault = await createWholeVault();
    await rm(inGit(vault, name));
    await mkdir(inGit(vault, name));
    await expectRefused(vault);
  });

  it.each([...FILES, ...FOLDERS])('has a link as %s, and loses nothing through it', async (name) => {
    const vault = await createWholeVault();
    const before = await vault.git('rev-list', '--objects', '--all');
    const elsewhere = path.join(await createTestFolder(), 'moved');
    await rename(inGit(vault, name), elsewhere);
    await symlink(elsewhere, inGit(vault, name));
    await expectRefused(vault);

    await rm(inGit(vault, name));
    await cp(elsewhere, inGit(vault, name), { recursive: true });
    expect(await vault.git('rev-list', '--objects', '--all')).toBe(before);
    expect((await (await vault.reopen()).forget({ keep: (file) => file !== 'b.md' })).commits).toBe(3);
  });

  it('has a link in place of a folder of objects', async () => {
    const vault = await createWholeVault();
    const id = await vault.git('rev-parse', 'HEAD');
    const place = inGit(vault, `objects/${id.slice(0, 2)}`);
    const elsewhere = path.join(await createTestFolder(), 'moved');
    await rename(place, elsewhere);
    await symlink(elsewhere, place);
    await expectRefused(vault);
    expect((await lstat(place)).isSymbolicLink()).toBe(true);
  });

  it('has SHA-256 ids, by its configuration or by its refs', async () => {
    const folder = await createTestFolder();
    await runPersonsGit(folder, ['init', '-q', '--object-format=sha256', '--initial-branch=main', '.']);
    await expect(VaultRepository.open(folder, SETTINGS)).rejects.toMatchObject(UNSUPPORTED);
    await runPersonsGit(folder, ['commit', '-q', '--allow-empty', '-m', 'mine']);
    const ref = path.join(folder, '.git/refs/heads/main');
    const before = await readFile(ref, 'utf8');
    await writeFile(path.join(folder, '.git/config'), '');
    await expect(VaultRepository.open(folder, SETTINGS)).rejects.toThrow('SHA-256');
    expect(await readFile(ref, 'utf8')).toBe(before);
  });

  it('takes a comment about SHA-256 for a comment', async () => {
    const vault = await createWholeVault();
    await appendFile(inGit(vault, 'config'), '# objectformat = sha256\n');
    expect((await (await vault.reopen()).state()).head).not.toBeNull();
  });

  it.each([
    '[core]\n\tcompression = 99\n',
    '[core]\n\tfilemode = perhaps\n',
    '[core]\n\tabbrev = 1000\n',
    '[core]\n\tbigFileThreshold = large\n',
    '[core]\n\trepositoryformatversion = 9\n',
    '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tunheardOf = true\n',
    '[core]\n\tnot a setting ===\n[[',
  ])('has a configuration that Git does not take: %j', async (lines) => {
    const vault = await createWholeVault();
    await vault.write({ 'hers.md': 'staged' });
    await vault.git('add', 'hers.md');
    const [head, config] = [await vault.git('rev-parse', 'HEAD'), await readFile(inGit(vault, 'config'))];
    await appendFile(inGit(vault, 'config'), lines);
    await expectRefused(vault);
    // Not a branch without commits.
    await expect(vault.repository.state()).rejects.toMatchObject(UNSUPPORTED);
    await expect(vault.commit({ 'a.md': 'A4' })).rejects.toThrow(/Correct or delete its file \.git\/config/);

    await writeFile(inGit(vault, 'config'), config);
    const repository = await vault.reopen();
    expect(repository.hasLostHistory).toBe(false);
    expect((await repository.state()).head).toBe(head);
    expect(await vault.git('diff', '--cached', '--name-only')).toBe('hers.md');
  });

  it('is not waited for when a pipe comes behind the check', async () => {
    const vault = await createWholeVault();
    await makePipe(inGit(vault, 'MERGE_HEAD'));
    await expect(readIfThere(inGit(vault, 'MERGE_HEAD'))).rejects.toMatchObject(UNSUPPORTED);
    await symlink('HEAD', inGit(vault, 'linked'));
    await expect(readIfThere(inGit(vault, 'linked'))).rejects.toMatchObject(UNSUPPORTED);
    expect(await readIfThere(inGit(vault, 'none'))).toBeNull();
    const object = inGit(vault, `objects/aa/${'b'.repeat(38)}`);
    await mkdir(path.dirname(object), { recursive: true });
    await makePipe(object);
    await expect(removeTornObjects(vault.folder)).rejects.toMatchObject(UNSUPPORTED);
  });
});
