import { type AnnalsSystem, ApiClient, startSystem, waitUntil, waitUntilDone } from '@annals/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findVaultFolders, readEntries, runMarasGit } from './vault-folders.fixture.js';

interface VaultFile {
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

describe('the vault', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  let root: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'annals-vault-'));
    system = await startSystem({ minds: 1, env: { ANNALS_VAULT_PATH: root, ANNALS_LEASE_MS: '2000' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(async () => {
    await system?.close();
    rmSync(root, { recursive: true, force: true });
  });

  const findFolders = (user: string) => findVaultFolders(root, user);
  const readFiles = (user: string): VaultFile[] =>
    findFolders(user)
      .flatMap(readEntries)
      .map(({ path, text }) => {
        const [, front = '', body = ''] = /^---\n([^]*?)---\n\n([^]*)\n$/.exec(text) ?? [];
        return { path, fields: parse(front) as VaultFile['fields'], body };
      });
  const post = async (user: string, content: string) => {
    const body = { user_id: user, thread_id: 'kitchen', messages: [{ role: 'user' as const, content }], flush: true };
    const { batch_ids: batchIds } = await client.must('postConversation', { body });
    await waitUntilDone(client, batchIds, { explain: () => system.lastLines });
  };
  const waitForFiles = (user: string, isThere: (files: readonly VaultFile[]) => boolean, describe: string) =>
    waitUntil(
      () => {
        const files = readFiles(user);
        return isThere(files) ? files : undefined;
      },
      { describe },
    );
  const git = (user: string, ...args: string[]) => runMarasGit(findFolders(user)[0]!, ...args);

  it('has what a person said, and what is remembered of it, as files with a history', async () => {
    await post('mara', 'I am allergic to peanuts.');
    const files = await waitForFiles(
      'mara',
      (found) => ['memory', 'user'].every((role) => found.some(({ fields }) => fields['role'] === role)),
      'memory and message have a file',
    );
    const { items } = await client.must('listMemories', { query: { user_id: 'mara' } });
    const facts = files.filter(({ fields }) => fields['role'] === 'memory');
    expect(facts.map(({ fields, body }) => [fields['id'], body])).toEqual(
      items.map(({ id, content }) => [id, content]),
    );
    const turn = files.find(({ fields }) => fields['role'] === 'user')!;
    expect(turn.body).toBe('I am allergic to peanuts.');
    expect(facts[0]!.fields['sources']).toEqual([turn.fields['id']]);
    await waitUntil(() => git('mara', 'log', '--oneline').length > 0, { describe: 'the files are committed' });
  });

  it('follows changes of memories, and keeps tombstones until they are forgotten', async () => {
    const { items } = await client.must('listMemories', { query: { user_id: 'mara' } });
    const id = items[0]!.id;
    // For a moment, the file that became the tombstone is still there beside it.
    const isTombstone = ({ path, fields }: VaultFile) => path.includes('/deleted/facts/') && fields['id'] === id;
    const { memory: changed } = await client.must('patchMemory', {
      params: { id },
      body: { content: 'The user is allergic to hazelnuts.' },
    });
    const files = await waitForFiles(
      'mara',
      (found) => found.some(isTombstone) && found.some(({ fields }) => fields['id'] === changed.id),
      'the replaced memory is a tombstone, and its successor has a file',
    );
    expect(files.find(isTombstone)!.fields['replaced_by']).toBe(changed.id);
    expect(files.find(({ fields }) => fields['id'] === changed.id)).toMatchObject({
      body: 'The user is allergic to hazelnuts.',
    });
  });

  it('waits while somebody merges, and goes on behind that', async () => {
    const merging = join(findFolders('mara')[0]!, '.git', 'MERGE_HEAD');
    writeFileSync(merging, git('mara', 'rev-parse', 'HEAD'));
    await post('mara', 'My sister is called Ana.');
    const isWaiting = async () => {
      const { items } = await client.must('listWork', { query: { user_id: 'mara' } });
      return items.find(({ kind, deferred_reason: reason }) => kind === 'vault' && reason === 'vault_unavailable');
    };
    await waitUntil(isWaiting, { describe: 'the work waits' });
    expect(readFiles('mara').some(({ body }) => body.includes('Ana'))).toBe(false);
    rmSync(merging);
    await waitForFiles('mara', (found) => found.some(({ body }) => body.includes('Ana')), 'the message has a file');
  });

  it('forgets for good: no file and no commit has the words', async () => {
    const answer = await client.must('forgetMemories', { body: { user_id: 'mara', text: 'everything about peanuts' } });
    await client.must('forgetMemories', {
      body: { user_id: 'mara', text: 'everything about peanuts', dry_run: false, plan: answer.plan },
    });
    await waitForFiles('mara', (found) => !found.some(({ body }) => body.includes('peanuts')), 'no file has the word');
    await waitUntil(() => !git('mara', 'log', '--all', '-p').includes('peanuts'), {
      describe: 'no commit has the word',
    });
    expect(readFiles('mara').some(({ body }) => body.includes('hazelnuts'))).toBe(true);
  });

  it('loses the folder of a user who is erased, which the receipt says', async () => {
    const first = await client.must('eraseUser', { params: { user_id: 'mara' } });
    expect(first.vault).toMatchObject({ state: 'pending' });
    await waitUntil(() => findFolders('mara').length === 0, { describe: 'the folder is gone', timeoutMs: 30_000 });
    const isRemoved = async () => {
      const read = await client.must('getReceipt', { params: { id: first.id } });
      return read.vault?.state === 'removed' ? read : undefined;
    };
    const receipt = await waitUntil(isRemoved, { describe: 'the receipt says so' });
    expect(await client.must('eraseUser', { params: { user_id: 'mara' } })).toEqual({ ...receipt, user_id: 'mara' });
    expect(receipt.vault!.files).toBeGreaterThan(0);
    expect(receipt.vault!.commits).toBeGreaterThan(0);
  });
});
