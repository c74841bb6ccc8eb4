import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, removeTestFolders } from './vault.fixture.js';
import { startVaultProcess } from './vault-process.fixture.js';

const MOUNT = 'mount -t tmpfs -o size=400k tmpfs "$0" && exec "$@"';
/** Whether this user may mount in a namespace of its own; a file size limit is tested everywhere (repository.spec.ts). */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** Fills the disk, frees it, makes it read-only and writable again, and says what each attempt answered. */
const FILLING = `
const attempt = async (work) => {
  try { return await work(); } catch (error) {
    if (!vault.isVaultUnavailable(error)) throw error;
    return { code: error.cause?.code ?? error.code, message: error.message };
  }
};
mkdirSync(folder + '/vault');
const place = folder + '/vault';
const repository = await vault.VaultRepository.open(place, settings);
const commit = () => repository.commit({ changes: [{ path: 'a.md', action: 'put' }, { path: 'b.md', action: 'put' }], message: 'm', author, at: 0 });
const write = (path, text) => vault.writeFileAtomically(place, path, text);
const results = [];
const note = async (name, work) => results.push([name, await attempt(work)]);
await write('a.md', 'one');
await note('before', async () => (await commit()) !== null);
const first = (await repository.state()).head;
writeFileSync(place + '/b.md', Array.from({ length: 4000 }, (_, n) => Math.imul(n, 2654435761).toString(36)).join(''));
let filled = 0;
try { for (; ; filled += 1) writeFileSync(folder + '/filler' + filled, Buffer.alloc(4096)); } catch {}
await note('write on a full disk', () => write('a.md', 'x'.repeat(20000)));
await note('commit on a full disk', commit);
await note('the file', () => readFileSync(place + '/a.md', 'utf8'));
await note('the branch', async () => (await repository.state()).head === first);
execFileSync('sh', ['-c', 'rm -f "$0"/filler*', folder]);
await note('commit after space was freed', async () => (await commit()) !== null);
execFileSync('mount', ['-o', 'remount,ro', folder]);
await note('write on a read-only disk', () => write('a.md', 'three'));
await note('remove on a read-only disk', () => vault.removeFile(place, 'a.md'));
await note('commit on a read-only disk', commit);
await note('forget on a read-only disk', () => repository.forget({ keep: () => false }));
await note('erase on a read-only disk', () => vault.removeFolder(place));
execFileSync('mount', ['-o', 'remount,rw', folder]);
await note('write again', async () => (await write('a.md', 'three')).outcome);
await note('commit again', async () => (await commit()) !== null);
await note('fsck', () => execFileSync('git', ['-c', 'safe.directory=*', 'fsck', '--full', '--no-dangling'], { cwd: place }).toString());
say(JSON.stringify(results));
process.exit();
`;

describe.runIf(canMount)('a vault whose disk is full, then read-only', () => {
  afterAll(removeTestFolders);

  it('says so, has lost nothing, and goes on when the disk does', async () => {
    const folder = path.join(await createTestFolder(), 'disk');
    await mkdir(folder);
    const child = await startVaultProcess(FILLING, folder, ['unshare', '-rm', 'sh', '-c', MOUNT, folder]);
    expect(await child.ended).toBe(0);
    const full = { code: 'ENOSPC', message: expect.stringMatching(/disk of the vault is full\. Free space/) };
    const readOnly = { code: 'EROFS', message: expect.stringMatching(/is read-only\. Mount it writable/) };
    expect(JSON.parse(child.lines[0]!)).toEqual([
      ['before', true],
      ['write on a full disk', full],
      ['commit on a full disk', full],
      ['the file', 'one'],
      ['the branch', true],
      ['commit after space was freed', true],
      ['write on a read-only disk', readOnly],
      ['remove on a read-only disk', readOnly],
      ['commit on a read-only disk', readOnly],
      ['forget on a read-only disk', readOnly],
      ['erase on a read-only disk', readOnly],
      ['write again', 'written'],
      ['commit again', true],
      ['fsck', ''],
    ]);
  });
});
