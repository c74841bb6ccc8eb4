import { type AnnalsSystem, ApiClient, startSystem, waitUntil } from '@annals/testing';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findVaultFolders, readEntries, runMarasGit } from './vault-folders.fixture.js';

describe('edits of the vault', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  let root: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'annals-vault-'));
    system = await startSystem({ minds: 1, env: { ANNALS_VAULT_PATH: root, ANNALS_WRITING_CHECKS: 'refuse' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(async () => {
    await system?.close();
    rmSync(root, { recursive: true, force: true });
  });

  const findFile = (folder: string, words: string) =>
    readEntries(folder).find(({ path, text }) => text.includes(words) && !path.includes('/deleted/'));
  /** The folder of a user who has a memory, once it is a file. */
  const remember = async (user: string, content: string) => {
    await client.must('addMemory', { body: { user_id: user, content, category: 'profile' } });
    return waitUntil(
      () => {
        const folder = findVaultFolders(root, user)[0];
        const file = folder && findFile(folder, content);
        return file && isCommitted(folder) ? { folder, place: join(folder, file.path) } : undefined;
      },
      { describe: 'the memory has a file, which is committed' },
    );
  };
  const contentsOf = async (user: string) => {
    const { items } = await client.must('listMemories', { query: { user_id: user } });
    return items.map(({ content }) => content).toSorted();
  };
  const waitForContents = (user: string, ...contents: string[]) =>
    waitUntil(async () => (await contentsOf(user)).join('\n') === contents.toSorted().join('\n'), {
      describe: `the memories are: ${contents.join(' ')}`,
    });
  function isCommitted(folder: string): boolean {
    try {
      return runMarasGit(folder, 'status', '--porcelain') === '';
    } catch {
      return false;
    }
  }

  it('become changes of memories, with a history that says where from', async () => {
    const { folder, place } = await remember('mara', 'The user likes tea.');
    writeFileSync(place, readFileSync(place, 'utf8').replace('tea', 'green tea'));
    await waitForContents('mara', 'The user likes green tea.');
    const { items } = await client.must('listMemories', { query: { user_id: 'mara' } });
    const { items: history } = await client.must('getMemoryHistory', { params: { id: items[0]!.id } });
    expect(history.at(-1)).toMatchObject({ event: 'ADD', actor: 'vault' });

    mkdirSync(join(folder, 'entries/_manual/facts'), { recursive: true });
    writeFileSync(
      join(folder, 'entries/_manual/facts/Dog.md'),
      'The user has a dog. Their mail is mara@example.com.\n',
    );
    await waitUntil(async () => (await contentsOf('mara')).length === 2, {
      describe: 'the new file is a memory',
    });
    const added = (await contentsOf('mara')).find((content) => content.includes('dog'))!;
    expect(added).not.toContain('mara@example.com');
    await waitUntil(() => findFile(folder, 'mara@example.com') === undefined, { describe: 'no file has the address' });
    const renamed = await waitUntil(() => findFile(folder, 'has a dog'), { describe: 'it has a file of its own' });

    unlinkSync(join(folder, renamed.path));
    await waitForContents('mara', 'The user likes green tea.');
    await waitUntil(() => isCommitted(folder), { describe: 'everything is committed' });
  });

  it('are refused as texts that are written through the API', async () => {
    const { folder, place } = await remember('ned', 'The user likes chess.');
    writeFileSync(place, readFileSync(place, 'utf8').replace('The user likes chess.', 'I like it.'));
    await waitUntil(() => readEntries(folder).some(({ path }) => path.endsWith('.conflict.md')), {
      describe: 'it is kept beside the file',
    });
    expect(await contentsOf('ned')).toEqual(['The user likes chess.']);
    expect(readFileSync(place, 'utf8')).toContain('The user likes chess.');
  });

  it('arrive with `git pull`', async () => {
    const { folder, place } = await remember('ola', 'The user plays the violin.');
    const clone = join(root, '.clone');
    runMarasGit(root, 'clone', '-q', folder, clone);
    const copy = join(clone, place.slice(folder.length + 1));
    writeFileSync(copy, readFileSync(copy, 'utf8').replace('violin', 'cello'));
    writeFileSync(join(clone, 'entries/_manual/facts/sea.md'), 'The user lives by the sea.\n');
    runMarasGit(clone, 'add', '.');
    runMarasGit(clone, 'commit', '-q', '-m', 'Correct what is remembered');
    runMarasGit(folder, 'pull', '-q', clone, 'main');
    await waitForContents('ola', 'The user plays the cello.', 'The user lives by the sea.');
    await waitUntil(() => isCommitted(folder), { describe: 'everything is committed' });
    expect(runMarasGit(folder, 'log', '--format=%an %s')).toContain('Mara Correct what is remembered');
  });
});
