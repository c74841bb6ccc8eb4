import { chmod, link, lstat, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, removeTestFolders, writeTestFiles } from '../git/vault.fixture.js';
import { VaultUnavailableError } from '../unavailable.js';
import { VaultPathError } from './folder-guard.js';
import { listFiles, removeLeftovers } from './list-files.js';
import { hashText, MAX_VAULT_FILE_BYTES, readVaultFile } from './read-file.js';
import { pruneEmptyFolders, removeFile, removeFiles } from './remove-file.js';
import { removeFolder } from './remove-folder.js';
import { temporaryPlace } from './temporary-name.js';
import { writeFileAtomically, writeFiles } from './write-file.js';

const read = (folder: string, name: string) => readFile(path.join(folder, name), 'utf8');

describe('files of a vault', () => {
  afterAll(removeTestFolders);

  describe('writing', () => {
    it('creates folders, replaces the file whole, and leaves nothing beside it', async () => {
      const folder = await createTestFolder();
      const first = await writeFileAtomically(folder, 'a/b/c.md', 'one');
      const second = await writeFileAtomically(folder, 'a/b/c.md', 'two', { isSynced: true });
      expect([first.outcome, second.outcome]).toEqual(['written', 'written']);
      expect(await read(folder, 'a/b/c.md')).toBe('two');
      expect(await readdir(path.join(folder, 'a/b'))).toEqual(['c.md']);
      const found = await lstat(path.join(folder, 'a/b/c.md'));
      expect(second).toMatchObject({ stamp: { size: 3, mtimeMs: found.mtimeMs, ino: found.ino } });
      expect(found.mode & 0o007).toBe(0);
    });

    it('replaces a file that is as expected, by stamp and by hash', async () => {
      const folder = await createTestFolder();
      const first = await writeFileAtomically(folder, 'a.md', 'one', { expected: 'nothing' });
      if (first.outcome !== 'written') throw new Error(first.outcome);
      expect((await writeFileAtomically(folder, 'a.md', 'two', { expected: first.stamp })).outcome).toBe('written');
      const expected = { hash: hashText('two') };
      expect((await writeFileAtomically(folder, 'a.md', 'three', { expected })).outcome).toBe('written');
      expect(await read(folder, 'a.md')).toBe('three');
      expect(await readdir(folder)).toEqual(['a.md']);
    });

    it('keeps what a person wrote meanwhile', async () => {
      const folder = await createTestFolder();
      const written = await writeFileAtomically(folder, 'a.md', 'one');
      if (written.outcome !== 'written') throw new Error(written.outcome);
      await writeFile(path.join(folder, 'a.md'), 'her');
      await utimes(path.join(folder, 'a.md'), 1, 1);
      for (const expected of ['nothing' as const, written.stamp, { hash: hashText('one') }])
        expect(await writeFileAtomically(folder, 'a.md', 'ours', { expected })).toEqual({ outcome: 'changed' });
      for (const expected of [written.stamp, { hash: hashText('one') }])
        expect(await writeFileAtomically(folder, 'gone.md', 'ours', { expected })).toEqual({ outcome: 'changed' });
      expect(await read(folder, 'a.md')).toBe('her');
      expect(await readdir(folder)).toEqual(['a.md']);
    });

    it('overwrites what a killed process left beside the file', async () => {
      const folder = await createTestFolder();
      await writeTestFiles(folder, { 'a.md': 'one' });
      await writeFile(temporaryPlace(path.join(folder, 'a.md'), 'next'), 'half');
      await link(path.join(folder, 'a.md'), temporaryPlace(path.join(folder, 'a.md'), 'replaced'));
      expect((await writeFileAtomically(folder, 'a.md', 'two', { expected: { hash: hashText('one') } })).outcome).toBe(
        'written',
      );
      expect(await readdir(folder)).toEqual(['a.md']);
    });

    it('goes through no link, and replaces none', async () => {
      const folder = await createTestFolder();
      const outside = await createTestFolder();
      await writeTestFiles(outside, { 'a.md': 'outside' });
      await symlink(outside, path.join(folder, 'linked'));
      await symlink(path.join(outside, 'a.md'), path.join(folder, 'link.md'));
      await mkdir(path.join(folder, 'folder.md'));
      await writeTestFiles(folder, { file: '' });
      const paths = ['linked/a.md', 'linked/new/a.md', 'link.md', 'folder.md', 'file/a.md'];
      const results = await writeFiles(
        folder,
        paths.map((name) => ({ path: name, text: 'ours' })),
      );
      expect(results.map(({ outcome }) => outcome)).toEqual(paths.map(() => 'refused'));
      expect(await read(outside, 'a.md')).toBe('outside');
      expect(await readdir(outside)).toEqual(['a.md']);
      expect(
        await removeFiles(
          folder,
          paths.map((name) => ({ path: name })),
        ),
      ).toEqual(paths.map(() => 'refused'));
      const reads = await Promise.all(paths.map((name) => readVaultFile(folder, name)));
      expect(reads.map(({ outcome }) => outcome)).toEqual(paths.map(() => 'refused'));
    });

    it.each(['../a.md', '/a.md', 'a/../b.md', 'a//b.md', '', '.', '.git/config', '.GIT/hooks/x', 'a\0.md'])(
      'refuses the path %j',
      async (name) => {
        const folder = await createTestFolder();
        await expect(writeFileAtomically(folder, name, 'x')).rejects.toThrow(VaultPathError);
        await expect(readVaultFile(folder, name)).rejects.toThrow(VaultPathError);
        await expect(removeFile(folder, name)).rejects.toThrow(VaultPathError);
      },
    );

    it('writes many files in new folders at once', async () => {
      const folder = await createTestFolder();
      const writes = Array.from({ length: 300 }, (_, index) => ({
        path: `a/${index % 7}/b/${index}.md`,
        text: `${index}`,
      }));
      const results = await writeFiles(folder, writes);
      expect(results.every(({ outcome }) => outcome === 'written')).toBe(true);
      expect((await listFiles(folder)).map((file) => file.path).toSorted()).toEqual(
        writes.map((write) => write.path).toSorted(),
      );
    });
  });

  describe('reading', () => {
    it('returns text with its hash and stamp, a byte order mark included', async () => {
      const folder = await createTestFolder();
      await writeTestFiles(folder, { 'a.md': '\uFEFFZoë\r\n' });
      expect(await readVaultFile(folder, 'a.md')).toMatchObject({
        outcome: 'read',
        text: '\uFEFFZoë\r\n',
        hash: hashText('\uFEFFZoë\r\n'),
        stamp: { size: 9 },
      });
    });

    it('says why it does not return a text', async () => {
      const folder = await createTestFolder();
      await writeFile(path.join(folder, 'latin1.md'), Buffer.from([0x5a, 0xeb]));
      await writeFile(path.join(folder, 'large.md'), Buffer.alloc(MAX_VAULT_FILE_BYTES + 1));
      await writeFile(path.join(folder, 'limit.md'), Buffer.alloc(MAX_VAULT_FILE_BYTES, 'a'));
      const names = ['latin1.md', 'large.md', 'limit.md', 'none.md', 'none/none.md'];
      const results = await Promise.all(names.map((name) => readVaultFile(folder, name)));
      expect(results.map(({ outcome }) => outcome)).toEqual(['not_text', 'too_large', 'read', 'missing', 'missing']);
    });
  });

  describe('listing', () => {
    it('finds regular files, and skips what begins with a dot, and links', async () => {
      const folder = await createTestFolder();
      const outside = await createTestFolder();
      await writeTestFiles(outside, { 'o.md': '' });
      await writeTestFiles(folder, {
        'a.md': 'A',
        'b/c d/é.md': 'É',
        '.git/x': '',
        '.annals/y': '',
        '.z': '',
        'b/.q/r': '',
      });
      await symlink(outside, path.join(folder, 'linked'));
      await symlink(path.join(outside, 'o.md'), path.join(folder, 'link.md'));
      await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), 'no UTF-8');
      const found = await listFiles(folder);
      expect(found.map((file) => file.path).toSorted()).toEqual(['a.md', 'b/c d/é.md']);
      const { size, mtimeMs, ino } = await lstat(path.join(folder, 'a.md'));
      expect(found.find((file) => file.path === 'a.md')).toEqual({ path: 'a.md', size, mtimeMs, ino });
    });

    it('takes an absent folder for an absent disk, not for an empty one', async () => {
      const folder = path.join(await createTestFolder(), 'none');
      await expect(listFiles(folder)).rejects.toThrow(VaultUnavailableError);
      await expect(readVaultFile(folder, 'a.md')).rejects.toThrow(VaultUnavailableError);
      await expect(writeFileAtomically(folder, 'a.md', '')).rejects.toThrow(VaultUnavailableError);
      await expect(removeFile(folder, 'a.md')).rejects.toThrow(VaultUnavailableError);
      await expect(listFiles(folder)).rejects.toThrow(/is not mounted.*none/);
    });

    it('removes what killed processes left', async () => {
      const folder = await createTestFolder();
      await writeTestFiles(folder, {
        'a.md': '',
        '.annals-tmp-1-next': '',
        'b/.annals-tmp-2-next': '',
        '.git/.annals-tmp-3': '',
      });
      expect(await removeLeftovers(folder)).toBe(2);
      expect(await readdir(folder, { recursive: true })).toEqual(
        expect.arrayContaining(['a.md', 'b', '.git/.annals-tmp-3']),
      );
      expect(await removeLeftovers(folder)).toBe(0);
    });
  });

  describe('removing', () => {
    it('removes only the file that is expected', async () => {
      const folder = await createTestFolder();
      const written = await writeFileAtomically(folder, 'a.md', 'one');
      if (written.outcome !== 'written') throw new Error(written.outcome);
      expect(await removeFile(folder, 'a.md', { hash: hashText('other') })).toBe('changed');
      expect(await removeFile(folder, 'a.md', { ...written.stamp, size: 4 })).toBe('changed');
      expect(await removeFile(folder, 'a.md', written.stamp)).toBe('removed');
      expect(await removeFile(folder, 'a.md', written.stamp)).toBe('missing');
      expect(await removeFile(folder, 'none/a.md')).toBe('missing');
    });

    it('removes the folders that became empty, and no others', async () => {
      const folder = await createTestFolder();
      await mkdir(path.join(folder, 'a/b/c'), { recursive: true });
      await writeTestFiles(folder, { 'd/kept.md': '' });
      expect(await pruneEmptyFolders(folder, ['a/b/c/x.md', 'a/b/y.md', 'd/gone.md', 'none/z.md', 'top.md'])).toBe(3);
      expect(await readdir(folder)).toEqual(['d']);
    });

    it('removes a whole folder with read-only files, and follows no link', async () => {
      const folder = await createTestFolder();
      const outside = await createTestFolder();
      await writeTestFiles(outside, { 'o.md': 'stays' });
      await writeTestFiles(folder, {
        'u/a.md': '',
        'u/b/c/d.md': '',
        'u/.git/objects/x': '',
        'u/.git/HEAD': '',
        'v/e.md': '',
      });
      await symlink(outside, path.join(folder, 'u/linked'));
      await chmod(path.join(folder, 'u/a.md'), 0o400);
      await chmod(path.join(folder, 'u/b/c'), 0o500);
      await chmod(path.join(folder, 'u/b'), 0o500);
      expect(await removeFolder(path.join(folder, 'u'))).toEqual({ files: 3, gitFiles: 2 });
      expect(await removeFolder(path.join(folder, 'u'))).toEqual({ files: 0, gitFiles: 0 });
      expect(await readdir(folder)).toEqual(['v']);
      expect(await read(outside, 'o.md')).toBe('stays');
    });
  });
});
