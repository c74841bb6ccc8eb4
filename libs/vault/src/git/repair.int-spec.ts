import { chmod, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestVault, removeTestFolders, type TestVault } from './vault.fixture.js';

function objectFile(vault: TestVault, id: string): string {
  return path.join(vault.folder, '.git/objects', id.slice(0, 2), id.slice(2));
}

async function damage(place: string, bytes: Buffer | string = ''): Promise<void> {
  await chmod(place, 0o644);
  await writeFile(place, bytes);
}

async function createThreeCommits() {
  const vault = await createTestVault();
  const commits = [];
  for (const text of ['one', 'two', 'three']) commits.push((await vault.commit({ 'a.md': text, 'b.md': 'B' }))!);
  return { vault, commits };
}

describe('the repository of a vault after a power loss', () => {
  afterAll(removeTestFolders);

  it('makes a torn index again from the last commit', async () => {
    const { vault } = await createThreeCommits();
    const index = path.join(vault.folder, '.git/index');
    const whole = await readFile(index);
    const torn = [Buffer.alloc(0), whole.subarray(0, 40), Buffer.alloc(whole.length), Buffer.from('garbage')];
    for (const bytes of [...torn, Buffer.concat([whole.subarray(0, 60), Buffer.from('x'), whole.subarray(61)])]) {
      await writeFile(index, bytes);
      expect((await vault.reopen()).hasLostHistory).toBe(false);
      expect(await vault.git('status', '--porcelain')).toBe('');
    }
    await rm(index);
    await vault.reopen();
    expect(await vault.git('status', '--porcelain')).toBe('');
  });

  it.each(['HEAD', 'config', 'refs/heads/main'])('goes on with %s empty, or full of zeros', async (name) => {
    const { vault, commits } = await createThreeCommits();
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(41)]) {
      await writeFile(path.join(vault.folder, '.git', name), bytes);
      const repository = await vault.reopen();
      expect(repository.hasLostHistory).toBe(false);
      expect(await repository.state()).toEqual({ head: commits[2], branch: 'main', isBusy: false });
      expect(await vault.git('status', '--porcelain')).toBe('');
    }
    expect(await vault.commit({ 'a.md': 'four' })).not.toBeNull();
  });

  it('finds the branch again without reflogs', async () => {
    const { vault } = await createThreeCommits();
    await rm(path.join(vault.folder, '.git/logs'), { recursive: true });
    await writeFile(path.join(vault.folder, '.git/refs/heads/main'), '');
    const { head } = await (await vault.reopen()).state();
    expect(head).not.toBeNull();
    expect(await vault.git('fsck', '--full')).toMatch(/^(|dangling commit .*)$/);
  });

  it('goes back to the last whole commit when the last one is empty, and can record everything again', async () => {
    const { vault, commits } = await createThreeCommits();
    await damage(objectFile(vault, commits[2]!));
    const repository = await vault.reopen();
    expect(repository.hasLostHistory).toBe(true);
    expect((await repository.state()).head).toBe(commits[1]);
    expect(await vault.commit({ 'a.md': 'three', 'b.md': 'B' })).not.toBeNull();
    expect(await vault.git('show', 'HEAD:a.md')).toBe('three');
    expect((await vault.reopen()).hasLostHistory).toBe(false);
    expect(await vault.git('fsck', '--full', '--connectivity-only', 'main')).not.toMatch(/missing|error/);
  });

  it('loses only a text whose object is empty, in the last commit or before', async () => {
    const { vault } = await createThreeCommits();
    for (const revision of ['main:a.md', 'main~1:a.md']) {
      await damage(objectFile(vault, await vault.git('rev-parse', revision)));
      const repository = await vault.reopen();
      expect(repository.hasLostHistory).toBe(true);
      expect(await vault.git('rev-list', '--count', 'main')).toBe('3');
      expect(await vault.git('show', 'main:b.md')).toBe('B');
      expect((await vault.reopen()).hasLostHistory).toBe(false);
      await vault.commit({ 'a.md': 'three' });
      await vault.git('reset', '-q', '--soft', 'main');
      if (revision === 'main:a.md') await vault.git('update-ref', 'refs/heads/main', 'main~1');
    }
  });

  it('finds objects that are cut off, when a process was killed', async () => {
    const { vault, commits } = await createThreeCommits();
    const tree = await vault.git('rev-parse', `${commits[2]}^{tree}`);
    await chmod(objectFile(vault, tree), 0o644);
    await truncate(objectFile(vault, tree), 20);
    await writeFile(path.join(vault.folder, '.git/annals-committing'), '');
    const repository = await vault.reopen();
    expect(repository.hasLostHistory).toBe(true);
    expect((await repository.state()).head).toBe(commits[1]);
    expect(await readdir(path.join(vault.folder, '.git'))).not.toContain('annals-committing');
  });

  it('begins again when nothing is left', async () => {
    const { vault, commits } = await createThreeCommits();
    for (const commit of commits) await damage(objectFile(vault, commit));
    const repository = await vault.reopen();
    expect(repository.hasLostHistory).toBe(true);
    expect((await repository.state()).head).toBeNull();
    expect(await repository.count()).toMatchObject({ commits: 0 });
    expect(await vault.commit({ 'a.md': 'four' })).not.toBeNull();
    expect(await vault.git('status', '--porcelain')).toBe('A  b.md');
  });

  it('completes a repository that was left half made', async () => {
    const { vault, commits } = await createThreeCommits();
    await rm(path.join(vault.folder, '.git/config'));
    expect((await (await vault.reopen()).state()).head).toBe(commits[2]);
    await rm(path.join(vault.folder, '.git/HEAD'));
    expect((await (await vault.reopen()).state()).head).toBe(commits[2]);
  });
});
