import { ApiClient, startStandalone, type StandaloneSystem, waitUntil } from '@annals/testing';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const USER = 'ada-lovelace-1815';
const WORD = 'quixotrium';

describe('the data folder of a running Annals', () => {
  let system: StandaloneSystem;
  beforeAll(async () => {
    system = await startStandalone();
  });
  afterAll(() => system?.close());

  /** Files that contain one of the words. */
  async function findFiles(...words: string[]): Promise<string[]> {
    const entries = await readdir(system.dataDir, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    for (const entry of entries.filter((candidate) => candidate.isFile())) {
      const text = await readFile(join(entry.parentPath, entry.name), 'latin1').catch(() => '');
      if (words.some((word) => text.includes(word))) found.push(entry.name);
    }
    return found;
  }

  it('contains neither words nor id of an erased user', async () => {
    const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    await client.send('POST', '/v1/memories', {
      body: { user_id: USER, content: `The user plays the ${WORD}.`, category: 'profile' },
      headers: { 'idempotency-key': 'memory' },
    });
    await client.must('putCheckpoint', {
      params: { user_id: USER, thread_id: 'thread' },
      body: { data: { state: WORD } },
    });
    expect(await findFiles(WORD, USER)).not.toEqual([]);
    await client.send('DELETE', `/v1/users/${USER}`, { headers: { 'idempotency-key': 'erasure' } });
    await waitUntil(async () => (await findFiles(WORD, USER)).length === 0, {
      describe: 'no file contains what was erased',
      intervalMs: 200,
    });
    const again = await client.send('DELETE', `/v1/users/${USER}`, { headers: { 'idempotency-key': 'erasure' } });
    expect(JSON.parse(again.text)).toMatchObject({ user_id: USER });
    expect(await findFiles(USER)).toEqual([]);
  });
});
