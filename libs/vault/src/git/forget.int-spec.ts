import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { VaultRepository } from './repository.js';
import {
  createTestFolder,
  createTestVault,
  removeTestFolders,
  runPersonsGit,
  SETTINGS,
  type TestVault,
} from './vault.fixture.js';
import { findInVault } from './vault-forensics.fixture.js';

const SECRET = 'zanzibar-4711-secret';
const SECRET_FILE = 'entries/a/facts/secret.md';

/** Removes the file as the caller of `forget` does, and then its history. */
async function forgetSecret(vault: TestVault) {
  await vault.write({ [SECRET_FILE]: '' });
  return vault.repository.forget({ keep: (name) => name !== SECRET_FILE });
}

describe('forgetting in the repository of a vault', () => {
  afterAll(removeTestFolders);

  it('leaves no trace of a file, and all of the others', async () => {
    const vault = await createTestVault();
    await vault.commit({ 'a.md': 'A' }, 'first');
    await vault.commit({ [SECRET_FILE]: SECRET }, 'only the secret');
    await vault.commit({ [SECRET_FILE]: `${SECRET} again`, 'b.md': 'B' }, 'both');
    expect(await findInVault(vault.folder, SECRET)).not.toEqual([]);
    expect(await forgetSecret(vault)).toEqual({ commits: 2, dropped: 1, hasEndedOperation: false });
    expect(await findInVault(vault.folder, SECRET)).toEqual([]);
    expect(await findInVault(path.join(vault.folder, '.git'), 'secret.md')).toEqual([]);
    expect(await vault.git('log', '--format=%s|%an|%at')).toMatch(/^both\|Annals\|\d+\nfirst\|Annals\|\d+$/);
    expect([...(await vault.repository.headFiles()).keys()]).toEqual(['a.md', 'b.md']);
    expect(await vault.git('status', '--porcelain')).toBe('?? entries/');
    expect(await vault.git('fsck', '--full', '--strict')).toBe('');
    expect(await vault.commit({ 'c.md': 'C' })).not.toBeNull();
  });

  it('removes versions of a file, and keeps its others', async () => {
    const vault = await createTestVault();
    await vault.commit({ 'a.md': 'one' });
    await vault.commit({ 'a.md': SECRET, 'b.md': 'B' });
    const secret = (await vault.repository.headFiles()).get('a.md');
    await vault.commit({ 'a.md': 'three' });
    const result = await vault.repository.forget({ keep: () => true, keepsBlob: (_, id) => id !== secret });
    expect(result).toMatchObject({ commits: 3, dropped: 0 });
    expect(await findInVault(vault.folder, SECRET)).toEqual([]);
    expect(await vault.git('show', 'HEAD:a.md')).toBe('three');
    expect(await vault.git('show', 'HEAD~2:a.md')).toBe('one');
    await expect(vault.git('show', 'HEAD~1:a.md')).rejects.toThrow();
  });

  it('leaves nothing in branches, tags, stashes, notes, remotes, work trees, the index, reflogs and unfinished merges', async () => {
    const vault = await createTestVault();
    const other = await createTestFolder();
    const git = (...args: string[]) => vault.git(...args);
    await vault.commit({ 'a.md': 'A', [SECRET_FILE]: SECRET });
    await git('branch', 'draft');
    await git('tag', 'light');
    await git('tag', '-a', '-m', 'annotated', 'heavy');
    await git('tag', 'blob', `HEAD:${SECRET_FILE}`);
    await git('tag', 'tree', 'HEAD:entries');
    await runPersonsGit(other, ['clone', '-q', vault.folder, 'clone']);
    await git('remote', 'add', 'copy', path.join(other, 'clone'));
    await git('fetch', '-q', 'copy');
    await git('notes', 'add', '-m', SECRET, 'HEAD');
    await git('worktree', 'add', '-q', '-b', 'linked', path.join(other, 'linked'));
    await git('update-ref', `refs/replace/${'1'.repeat(40)}`, `HEAD:${SECRET_FILE}`);
    await vault.write({ [SECRET_FILE]: `${SECRET} stashed` });
    await git('stash', '-q');
    await vault.write({ [SECRET_FILE]: `${SECRET} staged`, 'kept.md': 'staged' });
    await git('add', '.');
    await git('checkout', '-q', '-b', 'side');
    await git('commit', '-q', '-m', 'side');
    await git('checkout', '-q', 'main');
    await vault.commit({ [SECRET_FILE]: `${SECRET} conflict` });
    await git('config', 'rerere.enabled', 'true');
    await git('merge', 'side').catch(() => {});
    await git('repack', '-q', '-d');
    await Promise.all(
      (await readdir(path.join(vault.folder, '.git/objects/pack')))
        .filter((name) => name.endsWith('.pack'))
        .map((name) => writeFile(path.join(vault.folder, '.git/objects/pack', name.replace('.pack', '.keep')), '')),
    );
    const garbage = ['COMMIT_EDITMSG', 'index.orig', '.COMMIT_EDITMSG.swp', 'objects/aa/tmp_obj_x', 'logs/x'];
    await git('hash-object', '-w', SECRET_FILE);
    for (const name of garbage) await vault.write({ [`.git/${name}`]: SECRET });
    expect((await vault.repository.state()).isBusy).toBe(true);

    const before = await findInVault(vault.folder, SECRET);
    for (const place of ['.pack (compressed)', 'COMMIT_EDITMSG', 'rr-cache', 'an object of Git'])
      expect(before.join('\n')).toContain(place);

    const result = await forgetSecret(vault);
    expect(result).toMatchObject({ hasEndedOperation: true });
    expect(await findInVault(vault.folder, SECRET)).toEqual([]);
    expect(await git('for-each-ref', '--format=%(refname)')).toBe(
      [
        'refs/heads/draft',
        'refs/heads/linked',
        'refs/heads/main',
        'refs/heads/side',
        'refs/tags/heavy',
        'refs/tags/light',
      ].join('\n'),
    );
    expect(await git('cat-file', 'tag', 'heavy')).toContain('annotated');
    expect(await git('show', 'side:kept.md')).toBe('staged');
    expect(await vault.repository.state()).toMatchObject({ branch: 'main', isBusy: false });
    expect(await git('fsck', '--full', '--strict')).toBe('');
  });

  it('keeps merges, and files on a branch whose other side is forgotten', async () => {
    const vault = await createTestVault();
    const git = (...args: string[]) => vault.git(...args);
    await vault.commit({ [SECRET_FILE]: SECRET });
    await git('checkout', '-q', '--orphan', 'other');
    await git('rm', '-q', '-r', '--cached', '.');
    await vault.write({ 'o.md': 'O' });
    await git('add', 'o.md');
    await git('commit', '-q', '-m', 'other');
    await git('clean', '-q', '-f', '-d');
    await git('checkout', '-q', 'main');
    await git('merge', '-q', '--allow-unrelated-histories', '-m', 'merge', 'other');
    await vault.write({ 'x.md': 'X' });
    await git('add', 'x.md');
    await git('commit', '-q', '-m', 'x');
    await git('checkout', '-q', '-b', 'side', 'HEAD~1');
    await vault.commit({ 'ignored.md': '' }).catch(() => {});
    await vault.write({ 'y.md': 'Y' });
    await git('add', 'y.md');
    await git('commit', '-q', '-m', 'y');
    await git('checkout', '-q', 'main');
    await git('merge', '-q', '-m', 'merge 2', 'side');
    await forgetSecret(vault);
    expect(await findInVault(vault.folder, SECRET)).toEqual([]);
    expect((await git('ls-tree', '-r', '--name-only', 'main')).split('\n')).toEqual(['o.md', 'x.md', 'y.md']);
    expect(await git('log', '--format=%s', '--topo-order', 'main')).toMatch(/^merge 2\n(x\ny|y\nx)\n(merge\n)?other$/);
    expect(await git('rev-list', '--count', '--merges', 'main')).toBe('1');
    expect(await git('fsck', '--full', '--strict')).toBe('');
  });

  it('forgets everything, and begins again', async () => {
    const vault = await createTestVault();
    await vault.commit({ [SECRET_FILE]: SECRET });
    expect(await forgetSecret(vault)).toMatchObject({ commits: 0, dropped: 1 });
    // The empty tree, which is that of the index.
    expect(await vault.repository.count()).toEqual({ commits: 0, objects: 1 });
    expect((await vault.repository.state()).head).toBeNull();
    expect(await forgetSecret(vault)).toMatchObject({ commits: 0, dropped: 0 });
    expect(await vault.commit({ 'a.md': 'A' })).not.toBeNull();
    expect(await vault.git('status', '--porcelain')).toBe('?? entries/');
  });

  it('forgets a file with an unusual name, and names that begin like it stay', async () => {
    const vault = await createTestVault();
    const names = ['a "quoted"\\.md', 'Zoë\n日本.md', '-dash.md', 'tab\t.md'];
    for (const name of names) await vault.commit({ [name]: `${SECRET} ${names.indexOf(name)}`, [`${name}2`]: 'stays' });
    await vault.write(Object.fromEntries(names.map((name) => [name, ''])));
    await vault.repository.forget({ keep: (name) => !names.includes(name) });
    expect(await findInVault(vault.folder, SECRET)).toEqual([]);
    expect([...(await vault.repository.headFiles()).keys()].toSorted()).toEqual(
      names.map((name) => `${name}2`).toSorted(),
    );
  });

  it('does not take the message of a commit or of a tag for commands', async () => {
    const vault = await createTestVault();
    const message = `mine\n\nfrom :1\nM 100644 inline x\ndata 3\n\ncommit refs/heads/main\ndone\n`;
    await vault.commit({ 'a.md': 'A' });
    await vault.write({ 'b.md': 'B' });
    await vault.git('add', 'b.md');
    await vault.git('commit', '-q', '--cleanup=verbatim', '-m', message);
    await vault.git('tag', '-a', '--cleanup=verbatim', '-m', message, 'v1');
    await vault.commit({ 'c.md': 'C' }, 'last');
    const before = await vault.git('log', '--format=%B%an%ae%at', 'main');
    expect(await vault.repository.forget({ keep: (name) => name !== 'c.md' })).toMatchObject({
      commits: 2,
      dropped: 1,
    });
    expect(before.endsWith(await vault.git('log', '--format=%B%an%ae%at', 'main'))).toBe(true);
    expect(await vault.git('cat-file', 'tag', 'v1')).toContain('commit refs/heads/main\ndone');
  });

  it('waits while a person collects garbage, which may write former objects again', async () => {
    const vault = await createTestVault();
    await vault.commit({ [SECRET_FILE]: SECRET });
    await vault.write({ '.git/gc.pid': '1 host' });
    await expect(forgetSecret(vault)).rejects.toMatchObject({ isLocked: true });
    expect(await vault.commit({ 'a.md': 'A' })).not.toBeNull();
    await rm(path.join(vault.folder, '.git/gc.pid'));
    expect(await forgetSecret(vault)).toMatchObject({ commits: 1, dropped: 1 });
  });

  it('forgets what the objects of another repository that it borrows hold', async () => {
    const vault = await createTestVault();
    await vault.commit({ 'a.md': 'A', [SECRET_FILE]: SECRET });
    const other = await createTestFolder();
    await runPersonsGit(other, ['clone', '-q', '--shared', vault.folder, '.']);
    const repository = await VaultRepository.open(other, SETTINGS);
    await writeFile(path.join(other, SECRET_FILE), '');
    await repository.forget({ keep: (name) => name !== SECRET_FILE });
    expect(await findInVault(other, SECRET)).toEqual([]);
    expect(await readFile(path.join(other, 'a.md'), 'utf8')).toBe('A');
    expect(await runPersonsGit(other, ['fsck', '--full'])).toBe('');
  });
});
