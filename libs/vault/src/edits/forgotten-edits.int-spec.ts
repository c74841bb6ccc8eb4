import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findInVault } from '../git/vault-forensics.fixture.js';
import { runPersonsGit } from '../git/vault.fixture.js';
import { EditsFixture } from './edits.fixture.js';

describe('what people wrote and committed in the vault, once it is forgotten', () => {
  let fixture: EditsFixture;
  let users = 0;
  /** Another user for each test. */
  let user: string;
  let tea: string;
  let path: string;
  let folder: string;

  beforeAll(async () => {
    fixture = await EditsFixture.open();
  });
  beforeEach(async () => {
    user = `user-${++users}`;
    tea = await fixture.vault.add(user, 'The user likes xyzzy.');
    await fixture.vault.add(user, 'The user has a dog.');
    await fixture.run(user);
    path = await fixture.vault.pathOf(user, tea);
    folder = await fixture.vault.folderOf(user);
  });
  afterAll(() => fixture?.close());

  const commit = async () => {
    await runPersonsGit(folder, ['add', '-A', 'entries']);
    await runPersonsGit(folder, ['commit', '-qm', 'Mine']);
  };
  const purge = async (id: string) => {
    await fixture.vault.purge(user, id);
    expect((await fixture.run(user)).result).toMatchObject({ hasForgotten: true });
  };

  it('leaves no word of an edit whose memory is purged', async () => {
    await fixture.edit(user, path, 'xyzzy', 'elderflower');
    await commit();
    expect((await fixture.run(user)).edits).toMatchObject({ changed: 1 });
    expect(await findInVault(folder, 'elderflower')).not.toEqual([]);
    const successor = (await fixture.memories(user)).find(({ content }) => content.includes('elderflower'))!;
    await purge(successor.id);
    expect(await findInVault(folder, 'elderflower')).toEqual([]);
    // The memory that was edited is still there, with its history.
    expect(await findInVault(folder, 'xyzzy')).not.toEqual([]);
    const former = await runPersonsGit(folder, ['log', '--all', '--format=%an', '--', path]);
    expect(former).toContain('Annals');
  });

  it('leaves no word in a branch that somebody made of the edit', async () => {
    await fixture.edit(user, path, 'xyzzy', 'elderflower');
    await commit();
    await runPersonsGit(folder, ['branch', 'mine']);
    await fixture.run(user);
    const successor = (await fixture.memories(user)).find(({ content }) => content.includes('elderflower'))!;
    await purge(successor.id);
    expect(await findInVault(folder, 'elderflower')).toEqual([]);
  });

  it.each(['entries/notes/x.md', 'entries/x.txt', 'entries/.trash/x.md'])(
    'leaves no word of a memory that was moved to %s',
    async (place) => {
      await fixture.move(user, path, place);
      await commit();
      await fixture.run(user);
      // Only a file of Markdown is moved back; the others are their own, until they remove them.
      await rm(join(folder, place), { force: true });
      await purge(tea);
      expect(await findInVault(folder, 'xyzzy')).toEqual([]);
    },
  );

  it('leaves files of their own below entries, hidden ones as well, with their history', async () => {
    const own = ['entries/notes/mine.md', 'entries/.obsidian/app.json', 'entries/picture.svg'];
    for (const place of own) await fixture.put(user, place, 'Words of a person.');
    await commit();
    await fixture.run(user);
    await purge(tea);
    const kept = (await runPersonsGit(folder, ['ls-tree', '-r', '--name-only', 'HEAD', 'entries'])).split('\n');
    expect(kept).toEqual(expect.arrayContaining(own));
  });
});
