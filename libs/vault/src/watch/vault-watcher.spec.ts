import { cp, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@annals/testing';
import { removeTestFolders, runPersonsGit } from '../git/vault.fixture.js';
import { watchFolder } from './watch-folder.js';
import { WatchFixture } from './watch.fixture.js';

/** The root, a tenant, two folders of an empty user, and four of each of two others. */
const WATCHED = 2 + 2 + 2 * 4;

describe('the watcher of the vault', () => {
  let fixture: WatchFixture;
  /** Files of user 1, in `entries/kitchen/facts`. */
  let paths: string[];

  afterEach(() => fixture?.close());
  afterAll(removeTestFolders);

  /** Two users with files that a run has left, watched. */
  const openWatched = async () => {
    fixture = await WatchFixture.open();
    paths = await fixture.writeOwn('1', 20);
    await fixture.writeOwn('2', 20);
    await fixture.watcher.start();
    expect(fixture.watcher.watchedFolders).toBe(WATCHED);
    expect(fixture.changed).toEqual([]);
  };

  describe('notices what somebody does', () => {
    beforeEach(openWatched);
    afterEach(() => expect(fixture.noticed).toContain('event'));

    it('a file that is rewritten in place', async () => {
      await fixture.rewrite('1', paths[0]!);
      await fixture.waitForCalls('1');
    });

    it('a file that an editor replaces by another one', async () => {
      await fixture.edit('1', paths[0]!);
      await fixture.waitForCalls('1');
      await fixture.edit('1', `${paths[0]}~`);
      await fixture.rename('1', `${paths[0]}~`, paths[0]!);
      await fixture.waitForCalls('1');
    });

    it('a file that only looks new', async () => {
      await utimes(join(await fixture.folderOf('1'), paths[0]!), 1, 1);
      await fixture.waitForCalls('1');
    });

    it('folders that are made and filled before they can be watched', async () => {
      await fixture.edit('1', 'entries/garden/facts/roses/red.md');
      await fixture.waitForCalls('1');
      await fixture.waitForWatches(WATCHED + 3);
      await fixture.edit('1', 'entries/garden/facts/roses/white.md');
      await fixture.waitForCalls('1');
    });

    it('a file that is deleted', async () => {
      await fixture.remove('1', paths[0]!);
      await fixture.waitForCalls('1');
    });

    it('a folder that is deleted, and made again in its place', async () => {
      await fixture.remove('1', 'entries/kitchen');
      await fixture.waitForCalls('1');
      await fixture.waitForWatches(WATCHED - 2);
      await fixture.edit('1', paths[0]!);
      await fixture.waitForCalls('1');
      await fixture.waitForWatches(WATCHED);
      await fixture.remove('1', 'entries/kitchen');
      await mkdir(join(await fixture.folderOf('1'), 'entries/kitchen'));
      await fixture.waitForCalls('1');
      await fixture.edit('1', 'entries/kitchen/new.md');
      await fixture.waitForCalls('1');
    });

    it('all entries, deleted', async () => {
      await fixture.remove('1', 'entries');
      await fixture.waitForCalls('1');
    });

    it('a file that is renamed', async () => {
      await fixture.rename('1', paths[0]!, 'entries/kitchen/renamed.md');
      await fixture.waitForCalls('1');
    });

    it('a folder that is renamed, and what changes in it then', async () => {
      await fixture.rename('1', 'entries/kitchen', 'entries/cellar');
      await fixture.waitForCalls('1');
      await fixture.edit('1', paths[0]!.replace('kitchen', 'cellar'));
      await fixture.waitForCalls('1');
    });

    it('a folder that is moved out of the vault', async () => {
      await rename(join(await fixture.folderOf('1'), 'entries/kitchen'), `${fixture.root}-moved`);
      await fixture.waitForCalls('1');
      await fixture.waitForWatches(WATCHED - 2);
    });

    it('a file in whose place there is a link', async () => {
      await fixture.remove('1', paths[0]!);
      await symlink('/dev/null', join(await fixture.folderOf('1'), paths[0]!));
      await fixture.waitForCalls('1');
    });

    it('many files that Git checks out', async () => {
      const folder = await fixture.folderOf('1');
      const git = (...args: string[]) => runPersonsGit(folder, args);
      await git('init', '-q', '-b', 'main');
      await git('add', 'entries');
      await git('commit', '-qm', 'All');
      await Promise.all(paths.map((path) => fixture.rewrite('1', path)));
      await fixture.waitForCalls('1');
      await git('checkout', '-q', '--', 'entries');
      await fixture.waitForCalls('1');
    });

    it('changes of two users', async () => {
      await fixture.edit('1', paths[0]!);
      await fixture.edit('2', paths[0]!);
      await fixture.waitForCalls('1', '2');
    });

    it('a change that comes while another one is passed on', async () => {
      let passOn: (() => void) | undefined;
      fixture.onChanged = () => new Promise<void>((resolve) => (passOn = resolve));
      await fixture.edit('1', paths[0]!);
      const go = await waitUntil(() => passOn, { describe: 'the change is being passed on' });
      fixture.onChanged = async () => {};
      await fixture.edit('1', paths[1]!);
      go();
      await waitUntil(() => fixture.changed.length === 2, { describe: 'both changes are passed on' });
      expect(fixture.changed).toEqual(['user-1', 'user-1']);
    });

    it('a change that cannot be passed on at first', async () => {
      let tries = 0;
      fixture.onChanged = async () => {
        tries += 1;
        if (tries <= 2) throw new Error('The database is away.');
      };
      await fixture.edit('1', paths[0]!);
      await waitUntil(() => fixture.changed.length > 0, { describe: 'the change is passed on' });
      expect([tries, fixture.changed]).toEqual([3, ['user-1']]);
      expect(fixture.failures.splice(0)).toHaveLength(1);
    });
  });

  describe('takes for no change', () => {
    beforeEach(openWatched);

    it('what this process writes, moves and removes', async () => {
      await fixture.writeOwn('1', 300, 'kitchen', 2);
      await fixture.writeOwn('1', 300, 'garden', 3);
      await fixture.removeOwn('1', 200);
      await fixture.writeOwn('2', 20, 'kitchen', 2);
      await fixture.removeOwn('2', 20);
      await fixture.writeOwn('3', 100, 'kitchen');
      await fixture.expectNoneButNow('2');
    });

    it('what this process sets aside, apart from the change itself', async () => {
      await fixture.edit('1', paths[0]!);
      await fixture.waitForCalls('1');
      await fixture.writeOwn('1', 1, 'garden', 2);
      await fixture.expectNoneButNow('2');
    });

    it('what lies outside of entries, in .git and .annals, or has a name with a dot', async () => {
      const others = [
        '.git/config',
        '.annals/index.json',
        '.annals/other',
        'notes.md',
        'drafts/a.md',
        '.obsidian/app.json',
      ];
      for (const path of [...others, 'entries/.DS_Store', 'entries/kitchen/.git/HEAD', 'entries/.annals-tmp-1-next'])
        await fixture.edit('1', path);
      await writeFile(join(fixture.root, 'readme.md'), 'Hello.');
      await mkdir(join(fixture.root, 'other', 'user~0123456789ab', 'entries'), { recursive: true });
      await fixture.expectNoneButNow('2');
      expect(fixture.watcher.watchedFolders).toBe(WATCHED);
    });

    it('a folder of which something else is said than its name, or nothing', async () => {
      const folder = await fixture.folderOf('1');
      await cp(folder, folder.replace('user-1', 'user-9'), { recursive: true });
      await mkdir(join(folder, '../nobody~0123456789ab/entries'), { recursive: true });
      await writeFile(join(folder, '../nobody~0123456789ab/entries/a.md'), 'Hello.');
      await waitUntil(() => fixture.watcher.ignored >= 2, { describe: 'both folders are ignored' });
      await fixture.expectNoneButNow('2');
    });
  });

  describe('follows folders that come and go', () => {
    it('waits for its root', async () => {
      fixture = await WatchFixture.open({}, { hasRoot: false });
      await fixture.watcher.start();
      expect(fixture.watcher.watchedFolders).toBe(0);
      await mkdir(fixture.root);
      await fixture.makeRoot();
      await fixture.waitForWatches(1);
      paths = await fixture.writeOwn('1', 3);
      await fixture.waitForWatches(1 + 1 + 4);
      await fixture.expectNoneButNow('1');
    });

    it('a root that goes, as when its volume is not mounted any more', async () => {
      await openWatched();
      await rename(fixture.root, `${fixture.root}-away`);
      await mkdir(fixture.root);
      await fixture.waitForWatches(0);
      await rm(fixture.root, { recursive: true });
      await rename(`${fixture.root}-away`, fixture.root);
      await fixture.waitForWatches(WATCHED);
      await fixture.expectNoneButNow('1');
    });

    it('a user and a tenant whose folders are removed', async () => {
      await openWatched();
      const folder = await fixture.folderOf('1');
      await rm(folder, { recursive: true });
      await fixture.waitForWatches(WATCHED - 4);
      await fixture.expectNoneButNow('2');
      await rm(join(folder, '..'), { recursive: true });
      await fixture.waitForWatches(1);
      await fixture.edit('1', 'entries/a.md');
      await waitUntil(() => fixture.changed.includes('user-1'), { describe: 'the change in a new folder is noticed' });
    });
  });

  describe('scans', () => {
    it('find what was changed, added and deleted while nobody watched, and nothing else', async () => {
      fixture = await WatchFixture.open();
      for (const user of ['1', '2', '3', '4']) paths = await fixture.writeOwn(user, 5);
      await fixture.edit('1', paths[0]!);
      await fixture.edit('2', 'entries/kitchen/facts/new.md');
      await fixture.remove('3', paths[4]!);
      await fixture.restart();
      await fixture.waitForCalls('1', '2', '3');
      expect(fixture.noticed.filter((by) => by === 'scan')).toHaveLength(3);
    });

    it('come again and find what events did not tell', async () => {
      fixture = await WatchFixture.open({ times: { scanMs: 1 }, watchFolder: () => ({ close() {} }) });
      paths = await fixture.writeOwn('1', 5);
      await fixture.watcher.start();
      await fixture.edit('1', paths[0]!);
      await waitUntil(() => fixture.changed.includes('user-1'), { describe: 'a scan finds the change' });
      expect(new Set(fixture.noticed)).toEqual(new Set(['scan']));
    });

    it('replace watches of which there are no more, until there are', async () => {
      let left = 3;
      fixture = await WatchFixture.open({
        times: { unwatchedMs: 1 },
        watchFolder(...given) {
          if (left === 0)
            throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' });
          left -= 1;
          return watchFolder(...given);
        },
      });
      paths = await fixture.writeOwn('1', 5);
      await fixture.watcher.start();
      expect(fixture.watcher.watchedFolders).toBe(3);
      await fixture.edit('1', paths[0]!);
      await waitUntil(() => fixture.noticed.includes('scan'), { describe: 'a scan finds the change' });
      await fixture.writeOwn('2', 5);
      await fixture.edit('2', paths[0]!);
      await waitUntil(() => fixture.changed.includes('user-2'), { describe: 'a scan finds the change of a new user' });
      expect(fixture.unwatched).toEqual(['ENOSPC']);
      left = 100;
      await fixture.waitForWatches(WATCHED);
      await fixture.edit('1', paths[1]!);
      await waitUntil(() => fixture.noticed.includes('event'), { describe: 'the change is an event' });
    });
  });

  it('stops while it has begun', async () => {
    fixture = await WatchFixture.open();
    await fixture.writeOwn('1', 5);
    const started = fixture.watcher.start();
    await fixture.watcher.stop();
    await started;
    expect(fixture.watcher.watchedFolders).toBe(0);
  });
});
