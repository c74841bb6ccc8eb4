import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findInVault } from '../git/vault-forensics.fixture.js';
import { runPersonsGit } from '../git/vault.fixture.js';
import { expectSameFiles, ProjectionFixture } from './projection.fixture.js';
import { VaultUnavailableError } from '../unavailable.js';
import { INDEX_PATH } from './vault-index.js';

describe('the vault beside what others write', () => {
  let fixture: ProjectionFixture;
  let users = 0;
  let user: string;

  beforeAll(async () => {
    fixture = await ProjectionFixture.open();
  });
  beforeEach(() => {
    user = `user-${++users}`;
  });
  afterAll(() => fixture?.close());

  const pathOf = (itemId: string) => fixture.pathOf(user, itemId);
  const expectSame = () => expectSameFiles(fixture, user);

  it('leaves files of their own alone, also when something is forgotten', async () => {
    await fixture.post(user, 'kitchen', 'Hello.');
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await mkdir(join(folder, 'entries/ideas'), { recursive: true });
    await writeFile(join(folder, 'entries/ideas/novel.md'), 'Chapter one.');
    await writeFile(join(folder, 'entries/index.md'), 'My table of contents.');
    await runPersonsGit(folder, ['add', 'entries/ideas/novel.md']);
    await runPersonsGit(folder, ['commit', '-qm', 'My novel']);
    await fixture.purge(user, secret);
    await fixture.write(user);
    const there = ['entries/ideas/novel.md', 'entries/index.md'].filter((path) => existsSync(join(folder, path)));
    expect(there).toEqual(['entries/ideas/novel.md', 'entries/index.md']);
    expect(await findInVault(folder, 'Chapter one.')).not.toEqual([]);
  });

  it('leaves files of their own alone when the index is lost, committed or deleted by them', async () => {
    await fixture.post(user, 'kitchen', 'Hello.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await mkdir(join(folder, 'entries/ideas'), { recursive: true });
    for (const name of ['novel', 'poem']) await writeFile(join(folder, `entries/ideas/${name}.md`), `My ${name}.`);
    await runPersonsGit(folder, ['add', 'entries/ideas']);
    await runPersonsGit(folder, ['commit', '-qm', 'My ideas']);
    await rm(join(folder, 'entries/ideas/poem.md'));
    await rm(join(folder, INDEX_PATH));
    await fixture.write(user);
    expect(existsSync(join(folder, 'entries/ideas/novel.md'))).toBe(true);
    expect(await runPersonsGit(folder, ['ls-tree', '-r', '--name-only', 'HEAD', 'entries/ideas'])).not.toContain(
      'poem',
    );
  });

  it('keeps what was kept beside a summary when something else is forgotten', async () => {
    await fixture.post(user, 'kitchen', 'Hello.');
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.summarize(user, 'kitchen', 'L1', 0, 'Somebody said hello.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await appendFile(join(folder, 'entries/kitchen/summaries/L1/chunk_0.md'), 'Words of a person.\n');
    await fixture.summarize(user, 'kitchen', 'L1', 0, 'Hello was said.');
    expect(await fixture.write(user)).toMatchObject({ conflicts: 1 });
    expect(await findInVault(folder, 'Words of a person.')).not.toEqual([]);
    await fixture.purge(user, secret);
    await fixture.write(user);
    expect((await findInVault(folder, 'Words of a person.')).length).toBeGreaterThan(0);
  });

  it('keeps what was kept beside a memory when something else is forgotten', async () => {
    const kept = await fixture.add(user, 'The user has a dog.');
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await appendFile(join(folder, await pathOf(kept)), 'Words of a person.\n');
    await fixture.change(user, { kind: 'edit', memoryId: kept, patch: { importance: 5 } });
    await fixture.write(user);
    await fixture.purge(user, secret);
    await fixture.write(user);
    expect((await findInVault(folder, 'Words of a person.')).length).toBeGreaterThan(0);
  });

  it('leaves a name alone that only looks like a temporary one', async () => {
    const secret = await fixture.add(user, 'The password is xyzzy.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await writeFile(join(folder, 'my.annals-tmp-notes.md'), 'Mine.');
    await fixture.purge(user, secret);
    await fixture.write(user);
    expect(await findInVault(folder, 'Mine.')).not.toEqual([]);
  });

  it('commits what was written while Git was switched off', async () => {
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    await fixture.add(user, 'The user likes coffee.');
    await fixture.write(user, { repository: null });
    await fixture.add(user, 'Something else.');
    await fixture.write(user);
    await expectSame();
  });

  it('writes nothing while somebody merges', async () => {
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    const head = await runPersonsGit(folder, ['rev-parse', 'HEAD']);
    await writeFile(join(folder, '.git/MERGE_HEAD'), `${head}\n`);
    const before = [...(await fixture.found(user)).keys()];
    await fixture.add(user, 'The user likes coffee.');
    await expect(fixture.write(user)).rejects.toThrow('merge');
    expect([...(await fixture.found(user)).keys()]).toEqual(before);
  });

  it('follows a database that was restored to an earlier state', async () => {
    const early = await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    // The index of a run behind the backup: ten links further.
    const index = JSON.parse(await readFile(join(folder, INDEX_PATH), 'utf8')) as {
      chain: { seq: number; head: string };
    };
    await writeFile(
      join(folder, INDEX_PATH),
      JSON.stringify({ ...index, chain: { ...index.chain, seq: index.chain.seq + 10 } }),
    );
    await fixture.change(user, { kind: 'delete', memoryId: early, by: 'user' });
    await fixture.write(user);
    await fixture.add(user, 'The user likes coffee.');
    await fixture.write(user);
    await expectSame();
  });

  it('follows a successor that is purged', async () => {
    const old = await fixture.add(user, 'The user lives in Lisbon.');
    const next = await fixture.supersede(user, old, 'The user lives in Porto.');
    await fixture.write(user);
    await fixture.purge(user, next);
    await fixture.write(user);
    await expectSame();
  });

  it('waits for whoever put a folder in the place of its state', async () => {
    await fixture.add(user, 'The user likes tea.');
    await fixture.write(user);
    const folder = await fixture.folderOf(user);
    await rm(join(folder, '.annals/writer'));
    await mkdir(join(folder, '.annals/writer'));
    await fixture.add(user, 'The user likes coffee.');
    await expect(fixture.write(user)).rejects.toThrow(VaultUnavailableError);
    await rm(join(folder, '.annals/writer'), { recursive: true });
    await fixture.write(user);
    await expectSame();
  });
});
