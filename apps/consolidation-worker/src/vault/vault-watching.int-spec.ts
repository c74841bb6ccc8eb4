import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SystemClock } from '@annals/domain';
import { waitUntil } from '@annals/testing';
import { OwnChanges, type VaultWatcher } from '@annals/vault';
import { VaultStageFixture } from './vault-stage.fixture.js';
import { askForVault, createVaultWatcher } from './vault-watching.js';

describe('a change that somebody makes to the vault', () => {
  let fixture: VaultStageFixture;
  let users = 0;
  /** Another user for each test, whose files are written. */
  let user: string;
  let subjectId: string;
  let kicks = 0;

  beforeAll(async () => {
    fixture = await VaultStageFixture.open();
  });
  beforeEach(async () => {
    user = `user-${++users}`;
    await fixture.add(user, 'The user likes tea.');
    subjectId = await fixture.subjectOf(user);
    expect(await fixture.run(subjectId)).toEqual({ ends: 'done' });
    kicks = 0;
  });
  afterAll(() => fixture?.close());

  const dependencies = () => ({
    database: fixture.database,
    clock: fixture.clock,
    ids: fixture.ids,
    relay: { kick: () => void (kicks += 1) },
  });
  const ask = (owner: { readonly userId?: string; readonly subjectId?: string; readonly tenantId?: string } = {}) =>
    askForVault(dependencies(), { tenantId: fixture.tenantId, userId: user, subjectId, ...owner });

  it('asks for work about the user, due now', async () => {
    await ask();
    expect(await fixture.findWork(subjectId)).toHaveLength(1);
    expect(kicks).toBe(1);
    expect(await fixture.run(subjectId)).toEqual({ ends: 'done' });
  });

  it('asks for nothing about others than the folder is of', async () => {
    const before = await fixture.findWork();
    const other = '01980000-0000-7000-8000-0000000000dd';
    await ask({ userId: 'somebody else' });
    await ask({ subjectId: other });
    await ask({ tenantId: other });
    expect(await fixture.findWork()).toEqual(before);
    expect(kicks).toBe(0);
  });

  it('asks for nothing about somebody who was erased', async () => {
    await fixture.erase(user);
    const before = await fixture.findWork();
    await ask();
    expect(await fixture.findWork()).toEqual(before);
    expect(kicks).toBe(0);
  });

  describe('is watched for', () => {
    let watcher: VaultWatcher;
    const noticed: string[] = [];

    beforeEach(async () => {
      noticed.length = 0;
      const given = {
        ...dependencies(),
        clock: new SystemClock(),
        metrics: { inc: (_name: string, { by }: { by: string }) => void noticed.push(by), collectGauges: () => {} },
        logger: { warn: (event: string) => void noticed.push(event) },
      };
      watcher = createVaultWatcher(given as never, fixture.root, new OwnChanges());
      await watcher.start();
    });
    afterEach(() => watcher?.stop());

    it('in the folder of the user, and not in a copy of it', async () => {
      expect(await fixture.findWork(subjectId)).toEqual([]);
      const [folder] = await fixture.findFolders(subjectId);
      await cp(folder!, folder!.replace('user-', 'user-copy-'), { recursive: true });
      await waitUntil(() => watcher.ignored > 0, { describe: 'the copy is ignored' });
      expect(await fixture.findWork(subjectId)).toEqual([]);
      const [name] = (await readdir(join(folder!, 'entries'), { recursive: true })).filter((path) =>
        path.endsWith('.md'),
      );
      await writeFile(join(folder!, 'entries', name!), 'Edited.');
      await waitUntil(async () => (await fixture.findWork(subjectId)).length > 0, { describe: 'there is work' });
      await waitUntil(() => noticed.length > 0, { describe: 'the change is counted' });
      expect(noticed).toEqual(['event']);
      expect(kicks).toBe(1);
    });
  });
});
