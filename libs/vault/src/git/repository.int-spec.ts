import { chmod, lstat, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ManualClock } from '@annals/domain';
import { waitUntil } from '@annals/testing';
import { GitError } from './git-error.js';
import { VaultRepository } from './repository.js';
import {
  AT,
  AUTHOR,
  createTestFolder,
  createTestVault,
  removeTestFolders,
  runPersonsGit,
  SETTINGS,
  writeTestFiles,
} from './vault.fixture.js';

const put = (name: string) => ({ path: name, action: 'put' as const });
const remove = (name: string) => ({ path: name, action: 'remove' as const });
const request = { message: 'Record memories', author: AUTHOR, at: AT };

/** A program `git` that starts another one, which ends no more, for the command `count-objects`. */
async function createHangingGit(): Promise<{ readonly bin: string; readonly hasStarted: () => Promise<boolean> }> {
  const bin = await createTestFolder();
  const mark = path.join(bin, 'mark');
  const script = `#!/bin/sh
case " $* " in *' count-objects '*) sleep 600 & : > '${mark}'; wait;; esac
PATH='${SETTINGS.searchPath}' exec git "$@"
`;
  await writeFile(path.join(bin, 'git'), script);
  await chmod(path.join(bin, 'git'), 0o755);
  return { bin, hasStarted: () => lstat(mark).then(Boolean, () => false) };
}

describe('the repository of a vault', () => {
  afterAll(removeTestFolders);

  it('records files as they are, and leaves a clean work tree', async () => {
    const vault = await createTestVault();
    const first = await vault.commit({ 'entries/a/facts/1.md': 'Likes tea.\n', 'b.md': 'B' }, 'Record 2 memories');
    expect(await vault.git('status', '--porcelain')).toBe('');
    expect(await vault.git('log', '--format=%H %s|%an|%ae|%at')).toBe(
      `${first} Record 2 memories|Annals|annals@localhost|${AT / 1_000}`,
    );
    expect(await vault.git('show', 'HEAD:entries/a/facts/1.md')).toBe('Likes tea.');
    await rm(path.join(vault.folder, 'b.md'));
    const second = await vault.repository.commit({ ...request, changes: [put('b.md')] });
    expect(await vault.git('rev-parse', `${second}^`)).toBe(first);
    expect([...(await vault.repository.headFiles()).keys()]).toEqual(['entries/a/facts/1.md']);
    expect(await vault.repository.count()).toMatchObject({ commits: 2 });
    expect(await vault.git('fsck', '--full', '--strict')).toBe('');
  });

  it('records nothing when nothing differs', async () => {
    const vault = await createTestVault();
    expect(await vault.repository.commit({ ...request, changes: [put('absent.md')] })).toBeNull();
    expect(await vault.repository.state()).toEqual({ head: null, branch: 'main', isBusy: false });
    const head = await vault.commit({ 'a.md': 'A' });
    expect(await vault.commit({ 'a.md': 'A' })).toBeNull();
    expect(await vault.repository.commit({ ...request, changes: [] })).toBeNull();
    expect(await vault.repository.state()).toEqual({ head, branch: 'main', isBusy: false });
    expect(await vault.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('leaves what a person staged for other paths staged, and not recorded', async () => {
    const vault = await createTestVault();
    await vault.commit({ 'a.md': 'A', 'hers.md': 'before' });
    await vault.write({ 'hers.md': 'staged', 'new.md': 'new' });
    await vault.git('add', 'hers.md', 'new.md');
    await vault.write({ 'hers.md': 'not staged' });
    await vault.commit({ 'a.md': 'A2' });
    expect(await vault.git('show', 'HEAD:hers.md')).toBe('before');
    expect(await vault.git('status', '--porcelain')).toBe('MM hers.md\nA  new.md');
    expect(await vault.git('show', ':hers.md')).toBe('staged');
  });

  it.each([
    'with space.md',
    '-rf.md',
    'qu"o\\te.md',
    'Zoë 日本.md',
    'new\nline.md',
    '\ttab.md',
    '.gitignore',
    "a'b$(c).md",
  ])('records the name %j', async (name) => {
    const vault = await createTestVault();
    await vault.commit({ [name]: 'text', [`folder ${name.trim()}/${name}`]: 'text' });
    expect(await vault.git('status', '--porcelain')).toBe('');
    expect([...(await vault.repository.headFiles()).keys()].toSorted()).toEqual(
      [name, `folder ${name.trim()}/${name}`].toSorted(),
    );
    await vault.repository.commit({ ...request, changes: [remove(name)] });
    expect([...(await vault.repository.headFiles()).keys()]).toEqual([`folder ${name.trim()}/${name}`]);
  });

  it('replaces a file by a folder of its name, and a folder by a file', async () => {
    const vault = await createTestVault();
    await vault.commit({ x: 'file', 'y/z.md': 'Z' });
    await Promise.all(['x', 'y'].map((name) => rm(path.join(vault.folder, name), { recursive: true })));
    await vault.write({ 'x/a.md': 'A', y: 'file' });
    await vault.repository.commit({ ...request, changes: [put('x'), put('x/a.md'), put('y/z.md'), put('y')] });
    expect([...(await vault.repository.headFiles()).keys()].toSorted()).toEqual(['x/a.md', 'y']);
    expect(await vault.git('status', '--porcelain')).toBe('');
  });

  it('never records what a link leads to', async () => {
    const vault = await createTestVault();
    const outside = await createTestFolder();
    await writeTestFiles(outside, { 'secret.md': 'secret' });
    await symlink(path.join(outside, 'secret.md'), path.join(vault.folder, 'link.md'));
    await symlink(outside, path.join(vault.folder, 'folder'));
    const changes = [put('link.md'), put('folder/secret.md'), put('a.md')];
    await vault.write({ 'a.md': 'A' });
    await vault.repository.commit({ ...request, changes });
    expect([...(await vault.repository.headFiles()).keys()]).toEqual(['a.md']);
  });

  it('hashes files as Git does', async () => {
    const vault = await createTestVault();
    await vault.commit({ 'a.md': 'Zoë', 'b/c.md': '' });
    const files = await vault.repository.headFiles();
    expect(await vault.repository.hashFiles(['a.md', 'b/c.md', 'none.md'])).toEqual(
      new Map<string, string | null>([...files, ['none.md', null]]),
    );
  });

  it('is its own repository in the folder of another one', async () => {
    const outer = await createTestFolder();
    await runPersonsGit(outer, ['init', '-q']);
    const inner = path.join(outer, 'vault');
    await mkdir(inner);
    const repository = await VaultRepository.open(inner, SETTINGS);
    await writeFile(path.join(inner, 'a.md'), 'A');
    await repository.commit({ ...request, changes: [put('a.md')] });
    expect(await runPersonsGit(inner, ['rev-parse', '--show-toplevel'])).toBe(inner);
    expect(await runPersonsGit(outer, ['rev-list', '--all'])).toBe('');
  });

  it('records one change after the other, and what a person commits between stays', async () => {
    const vault = await createTestVault();
    await vault.commit({ 'a.md': 'A' });
    await vault.write({ 'hers.md': 'hers' });
    await vault.git('add', 'hers.md');
    await vault.git('commit', '-q', '-m', 'mine');
    await Promise.all(['b.md', 'c.md', 'd.md'].map((name) => vault.commit({ [name]: name })));
    expect([...(await vault.repository.headFiles()).keys()]).toEqual(['a.md', 'b.md', 'c.md', 'd.md', 'hers.md']);
    expect(await vault.git('rev-list', '--count', 'main')).toBe('5');
  });

  it('refuses to commit while a person merges or is on another branch', async () => {
    const vault = await createTestVault();
    await vault.commit({ 'a.md': 'A' });
    await vault.git('checkout', '-q', '-b', 'draft');
    expect(await vault.repository.state()).toMatchObject({ branch: 'draft', isBusy: true });
    await expect(vault.commit({ 'a.md': 'A2' })).rejects.toMatchObject({ code: 'busy' });
    await vault.git('commit', '-q', '-a', '-m', 'draft');
    await vault.git('checkout', '-q', 'main');
    await vault.commit({ 'a.md': 'A3' });
    await vault.git('merge', 'draft').catch(() => {});
    expect(await vault.repository.state()).toMatchObject({ branch: 'main', isBusy: true });
    await vault.git('merge', '--abort');
    expect(await vault.repository.state()).toMatchObject({ isBusy: false });
    await vault.git('checkout', '-q', '--detach');
    expect(await vault.repository.state()).toMatchObject({ branch: null, isBusy: true });
  });

  it('respects the lock of another program for ten minutes', async () => {
    const clock = new ManualClock(0);
    const vault = await createTestVault({ clock });
    await vault.commit({ 'a.md': 'A' });
    const lock = path.join(vault.folder, '.git/index.lock');
    await writeFile(lock, '');
    clock.reset((await lstat(lock)).mtimeMs + 599_000);
    const head = (await vault.repository.state()).head;
    await expect(vault.commit({ 'a.md': 'A2' })).rejects.toMatchObject({ isLocked: true, isUnavailable: false });
    await expect(vault.repository.forget({ keep: () => false })).rejects.toMatchObject({ isLocked: true });
    expect((await vault.reopen()).hasLostHistory).toBe(false);
    expect(await lstat(lock)).toBeDefined();
    expect((await vault.repository.state()).head).toBe(head);
    clock.advance(2_000);
    expect(await vault.commit({ 'a.md': 'A2' })).not.toBeNull();
  });

  it('removes the locks of its own that a killed process left, at once', async () => {
    const vault = await createTestVault();
    const head = await vault.commit({ 'a.md': 'A' });
    const locks = ['annals-committing', 'index.lock', 'refs/heads/main.lock', 'HEAD.lock'];
    await Promise.all(locks.map((name) => writeFile(path.join(vault.folder, '.git', name), '')));
    const repository = await vault.reopen();
    expect(repository.hasLostHistory).toBe(false);
    expect((await repository.state()).head).toBe(head);
    expect(await vault.commit({ 'a.md': 'A2' })).not.toBeNull();
  });

  it('keeps a lock that is older than the process that was killed', async () => {
    const vault = await createTestVault();
    await vault.commit({ 'a.md': 'A' });
    const lock = path.join(vault.folder, '.git/index.lock');
    await writeFile(lock, '');
    const earlier = new Date(SETTINGS.clock.now() - 60_000);
    await utimes(lock, earlier, earlier);
    await writeFile(path.join(vault.folder, '.git/annals-committing'), '');
    await vault.reopen();
    await expect(vault.commit({ 'a.md': 'A2' })).rejects.toMatchObject({ isLocked: true });
  });

  it('says that Git is missing, that the folder is, and that the repository is of another kind', async () => {
    const vault = await createTestVault();
    const folder = await createTestFolder();
    const absent = await createTestFolder();
    const failed = await VaultRepository.open(absent, { ...SETTINGS, searchPath: folder }).catch((error) => error);
    expect(failed).toBeInstanceOf(GitError);
    expect(failed).toMatchObject({ code: 'git_missing', isUnavailable: false });
    await expect(VaultRepository.open(path.join(folder, 'none'), SETTINGS)).rejects.toMatchObject({
      isUnavailable: true,
    });
    await writeFile(path.join(folder, '.git'), `gitdir: ${vault.folder}/.git\n`);
    await expect(VaultRepository.open(folder, SETTINGS)).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('ends a run that takes too long, and one that is aborted, and goes on afterwards', async () => {
    const bin = await createTestFolder();
    await writeFile(path.join(bin, 'git'), '#!/bin/sh\nexec sleep 600\n');
    await chmod(path.join(bin, 'git'), 0o755);
    const vault = await createTestVault();
    const head = await vault.commit({ 'a.md': 'A' });
    const searchPath = `${bin}:${SETTINGS.searchPath}`;
    await expect(vault.reopen({ searchPath, timeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' });
    const reason = new Error('shutdown');
    const opening = vault.reopen({ searchPath, signal: AbortSignal.any([AbortSignal.abort(reason)]) });
    await expect(opening).rejects.toBe(reason);
    expect((await (await vault.reopen()).state()).head).toBe(head);
  });

  it('ends a run at once when it is aborted, with the programs that Git has started', async () => {
    const { bin, hasStarted } = await createHangingGit();
    const vault = await createTestVault();
    const stop = new AbortController();
    const repository = await vault.reopen({ searchPath: `${bin}:${SETTINGS.searchPath}`, signal: stop.signal });
    const packing = repository.pack();
    packing.catch(() => {});
    await waitUntil(hasStarted, { describe: 'Git runs' });
    const reason = new Error('shutdown');
    stop.abort(reason);
    await expect(packing).rejects.toBe(reason);
  });

  it('counts within ten seconds, or says that it could not', async () => {
    const { bin, hasStarted } = await createHangingGit();
    const clock = new ManualClock(AT);
    const vault = await createTestVault();
    const repository = await vault.reopen({ searchPath: `${bin}:${SETTINGS.searchPath}`, clock });
    const counting = repository.count();
    counting.catch(() => {});
    await waitUntil(hasStarted, { describe: 'Git runs' });
    clock.advance(10_000);
    await expect(counting).rejects.toMatchObject({ name: 'GitError', code: 'timeout' });
    await rm(vault.folder, { recursive: true });
    await expect(vault.repository.count()).rejects.toMatchObject({ name: 'GitError', code: 'unavailable' });
  });

  it('takes the disk’s limit for something that passes, and has the former commit afterwards', async () => {
    // A file size limit is the full disk that every user may cause.
    const bin = await createTestFolder();
    const script = `#!/bin/sh\ntrap '' XFSZ\nulimit -f 1\nPATH=$PATH_OF_GIT exec git "$@"\n`;
    await writeFile(path.join(bin, 'git'), script.replace('$PATH_OF_GIT', `'${SETTINGS.searchPath}'`));
    await chmod(path.join(bin, 'git'), 0o755);
    const vault = await createTestVault();
    const head = await vault.commit({ 'a.md': 'A' });
    const random = Array.from({ length: 8_000 }, (_, index) => Math.imul(index, 2_654_435_761).toString(36)).join('');
    await vault.write({ 'big.md': random });
    const limited = await vault.reopen({ searchPath: bin });
    const failed = limited.commit({ ...request, changes: [put('big.md')] });
    await expect(failed).rejects.toMatchObject({ code: 'unavailable', isUnavailable: true });
    await expect(failed).rejects.toThrow(vault.folder);
    expect((await limited.state()).head).toBe(head);
    expect(await vault.repository.commit({ ...request, changes: [put('big.md')] })).not.toBeNull();
    expect(await readFile(path.join(vault.folder, 'big.md'), 'utf8')).toBe(random);
    expect(await vault.git('fsck', '--full')).toBe('');
  });
});
