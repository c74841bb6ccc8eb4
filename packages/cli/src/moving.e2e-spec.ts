import type { ExportLine, Memory } from '@annals/sdk';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { writeManyReferences } from './fixtures/many-references.fixture.js';
import { type Programs, startPrograms } from './fixtures/program.fixture.js';

describe('the program annals', () => {
  let programs: Programs;
  beforeAll(async () => {
    programs = await startPrograms();
  });
  afterAll(() => programs?.close());

  const memoriesOf = async (key: string, user = 'ann'): Promise<Memory[]> => {
    const memories: Memory[] = [];
    const list = programs.clientOf(key).memories.list({ user_id: user, include_superseded: true, limit: 200 });
    for await (const memory of list) memories.push(memory);
    return memories;
  };
  const contentsOf = async (key: string) => (await memoriesOf(key)).map(({ content }) => content).toSorted();
  const kindsOf = (lines: readonly ExportLine[]) =>
    Object.fromEntries(
      [...Map.groupBy(lines, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length] as const),
    );

  it.each([
    [
      'openai-conversations.json',
      [
        'conversations: 1 read, 1 new, 0 already there, 0 refused',
        'messages: 3 read, 3 new, 0 already there, 0 refused',
        'memories: 3 extracted, 0 confirmed, from 1 batches',
        'not taken:',
        '  1 × thinking',
        '  2 × tool calls and their results',
        '  1 × attachments',
        '  2 × images',
        '  2 × messages of other branches',
      ],
      ['The user is allergic to peanuts.', 'The user moved to Lisbon.', "The user's cat is called Nox."],
    ],
    [
      'claude-conversations.json',
      [
        'conversations: 1 read, 1 new, 0 already there, 0 refused',
        'messages: 3 read, 3 new, 0 already there, 0 refused',
        'memories: 2 extracted, 0 confirmed, from 1 batches',
        'not taken:',
        '  1 × attachments',
        '  1 × files',
        '  1 × thinking',
        '  1 × tool calls and their results',
        '  1 × empty messages',
        '  1 × conversations without messages',
      ],
      ['The user plays the cello.', 'The user works as a nurse.'],
    ],
    [
      'mem0.json',
      [
        'memories: 4 read, 4 new, 0 already there, 0 refused',
        'not taken:',
        '  1 × metadata of memories',
        '  1 × memories without a text',
      ],
      ['Likes sushi', 'Speaks Portuguese', 'User lives in Braga', 'User lives in Porto'],
    ],
    [
      'annals.ndjson',
      [
        'user context: 5 read, 5 new, 0 already there, 0 refused',
        'conversations: 2 read, 2 new, 0 already there, 0 refused',
        'messages: 3 read, 3 new, 0 already there, 0 refused',
        'memories: 3 read, 3 new, 0 already there, 0 refused',
        'not taken:',
        '  1 × lines of the kind user',
        '  1 × deleted memories',
        '  1 × insights, inferred again with later conversations',
        '  1 × lines of the kind history',
        '  1 × lines of the kind batch',
      ],
      ['The user likes green tea.', 'The user lives in Lisbon.', 'The user lives in Porto.'],
    ],
  ])('imports %s, and adds nothing when it is run again', async (fixture, report, contents) => {
    const key = await programs.createTenant();
    const file = programs.fileOf(fixture);
    const first = await programs.run(key, 'import', file, '--user', 'ann');
    expect(first.stdout.trimEnd().split('\n')).toEqual(report);
    expect(first.code).toBe(0);
    expect(await contentsOf(key)).toEqual(contents);
    const stored = await programs.exportOf(key, 'ann');
    const again = await programs.run(key, 'import', file, '--user', 'ann');
    expect(again.code).toBe(0);
    for (const [, read, known] of again.stdout.matchAll(/: (\d+) read, 0 new, (\d+) already there, 0 refused/g)) {
      expect(known).toBe(read);
    }
    expect(again.stdout).not.toMatch(/[1-9]\d* new/);
    const same = ['memory', 'conversation', 'message', 'history'];
    const counted = kindsOf(await programs.exportOf(key, 'ann'));
    for (const kind of same) expect([kind, counted[kind]]).toEqual([kind, kindsOf(stored)[kind]]);
    expect(existsSync(`${file}.annals-import`)).toBe(false);
  });

  it('keeps the times of mem0, and what a memory said before', async () => {
    const key = await programs.createTenant();
    await programs.run(key, 'import', programs.fileOf('mem0.json'), '--user', 'ann', '--map', 'food=preferences');
    const byContent = new Map((await memoriesOf(key)).map((memory) => [memory.content, memory]));
    expect(byContent.get('User lives in Porto')).toMatchObject({
      id: '8b3f5e30-0000-4000-8000-000000000001',
      category: 'profile',
      valid_from: '2024-06-01T15:00:00.000Z',
      sources: [],
      provenance: { provider: 'import:mem0' },
    });
    expect(byContent.get('User lives in Braga')).toMatchObject({
      valid_from: '2024-01-10T15:00:00.000Z',
      valid_to: '2024-06-01T15:00:00.000Z',
      superseded_by: '8b3f5e30-0000-4000-8000-000000000001',
    });
    expect(byContent.get('Likes sushi')).toMatchObject({
      category: 'preferences',
      recorded_at: '2024-02-01T10:00:00.000Z',
    });
    expect(byContent.get('Speaks Portuguese')!.category).toBe('knowledge');
  });

  it('gives imported memories to queries, with what they rest on', async () => {
    const key = await programs.createTenant();
    await programs.run(key, 'import', programs.fileOf('annals.ndjson'), '--user', 'ann');
    const { memories } = await programs.clientOf(key).memory.query({
      query: 'Where does the user live?',
      filters: { user_id: 'ann' },
    });
    const texts = memories.map(({ text }) => text).join('\n');
    expect(texts).toContain('The user lives in Porto.');
    expect(texts).not.toContain('The user lives in Lisbon.');
  });

  async function zipOf(entries: Readonly<Record<string, string | Buffer>>): Promise<string> {
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content as string), name);
    zip.end();
    const file = programs.write('export.zip', '');
    await finished(zip.outputStream.pipe(createWriteStream(file)));
    return file;
  }

  it('reads conversations from the archive that is downloaded', async () => {
    const key = await programs.createTenant();
    const conversations = readFileSync(programs.fileOf('openai-conversations.json'));
    const file = await zipOf({
      'conversations-1.json': '[]',
      'conversations-2.json': conversations,
      'chat.html': '<html>',
    });
    const { code, stdout } = await programs.run(key, 'import', file, '--user', 'ann');
    expect([code, stdout]).toEqual([0, expect.stringContaining('messages: 3 read, 3 new')]);
  });

  it('finds nothing in an archive without conversations', async () => {
    const key = await programs.createTenant();
    const file = await zipOf({ 'conversations-1.json': '[]', 'conversations-2.json': '[\n]' });
    expect(await programs.run(key, 'import', file, '--user', 'ann')).toMatchObject({
      code: 0,
      stdout: 'Nothing to import was found in the file.\n',
    });
  });

  it('lets memories rest on messages that were posted here under other ids, and names texts that differ', async () => {
    const key = await programs.createTenant();
    const client = programs.clientOf(key);
    const said = { role: 'user' as const, created_at: '2024-03-01T10:00:00Z' };
    await client.conversations.create({
      user_id: 'ann',
      thread_id: 'holidays',
      messages: [{ ...said, id: 'm1', content: 'I live in Lisbon.' }],
    });
    const file = programs.fileOf('annals.ndjson');
    const first = await programs.run(key, 'import', file, '--user', 'ann');
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringContaining('messages: 3 read, 2 new, 1 already there, 0 refused'),
    ]);
    expect(first.stdout).toContain('memories: 3 read, 3 new, 0 already there, 0 refused');
    const again = await programs.run(key, 'import', file, '--user', 'ann');
    expect(again.stdout).toContain('memories: 3 read, 0 new, 3 already there, 0 refused');
    expect(again.stdout).not.toContain('differ');
    const other = readFileSync(file, 'utf8').replace('The user likes green tea.', 'The user likes coffee.');
    const changed = await programs.run(key, 'import', programs.write('x.ndjson', other), '--user', 'ann');
    expect([changed.code, changed.stdout]).toEqual([
      0,
      expect.stringContaining('1 × texts that differ from what is here'),
    ]);
  });

  it('says in a dry run what it would take, and changes nothing', async () => {
    const key = await programs.createTenant();
    for (const fixture of ['openai-conversations.json', 'claude-conversations.json', 'mem0.json', 'annals.ndjson']) {
      const file = programs.fileOf(fixture);
      const { code, stdout } = await programs.run(key, 'import', file, '--user', 'ann', '--dry-run');
      expect([fixture, code]).toEqual([fixture, 0]);
      expect(stdout).toMatch(/(?:messages|memories): \d+ read/);
      expect(stdout).toContain('This was a dry run: nothing has changed.');
      expect(existsSync(`${file}.annals-import`)).toBe(false);
    }
    await expect(programs.exportOf(key, 'ann')).rejects.toMatchObject({ status: 404 });
  });

  it('exports what it imported, and imports it under another tenant and user', async () => {
    const [from, to] = [await programs.createTenant(), await programs.createTenant()];
    await programs.run(from, 'import', programs.fileOf('openai-conversations.json'), '--user', 'ann');
    await programs.run(from, 'import', programs.fileOf('annals.ndjson'), '--user', 'ann');
    const file = programs.write('ann.ndjson', '');
    expect(await programs.run(from, 'export', '--user', 'ann', '--out', file)).toMatchObject({ code: 0, stdout: '' });
    const moved = await programs.run(to, 'import', file, '--user', 'bea');
    expect(moved.code).toBe(0);
    const compared = (memories: readonly Memory[]) =>
      memories
        .map(({ user_id: _user, revision: _revision, updated_at: _updated, ...memory }) => memory)
        .toSorted((a, b) => a.id.localeCompare(b.id));
    expect(compared(await memoriesOf(to, 'bea'))).toEqual(compared(await memoriesOf(from)));
    expect((await memoriesOf(to, 'bea')).length).toBeGreaterThanOrEqual(6);
    const contextOf = async (key: string, user: string) =>
      (await programs.exportOf(key, user)).find(({ kind }) => kind === 'context')!.data['fields'];
    expect(await contextOf(to, 'bea')).toEqual(await contextOf(from, 'ann'));
    expect(await contextOf(to, 'bea')).toMatchObject({
      city: { value: 'Porto', since: '2024-05-02T10:00:00.000Z' },
      tone: { value: null },
      insights: { value: 'off' },
      goals: [{ value: 'learn to sail' }],
    });
  });

  it('writes Markdown that a person reads, with what is over behind what holds', async () => {
    const key = await programs.createTenant();
    await programs.run(key, 'import', programs.fileOf('annals.ndjson'), '--user', 'ann');
    const file = programs.write('ann.md', 'before');
    const args = ['export', '--user', 'ann', '--format', 'markdown', '--conversations', '--out', file];
    expect((await programs.run(key, ...args)).code).toBe(0);
    const page = readFileSync(file, 'utf8');
    expect(page.replace(/Exported on .*/, 'Exported on …')).toBe(
      readFileSync(path.join(import.meta.dirname, 'fixtures/ann.md'), 'utf8'),
    );
    expect(readdirSync(path.dirname(file))).toEqual(['ann.md']);
  });

  it('leaves a file as it was when the export fails', async () => {
    const key = await programs.createTenant();
    const file = programs.write('nobody.ndjson', 'before');
    const { code, stderr } = await programs.run(key, 'export', '--user', 'nobody', '--out', file);
    expect([code, stderr]).toEqual([2, 'annals: There is no user with this id.\n']);
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  it('refuses records with times that are none, and takes the rest', async () => {
    const key = await programs.createTenant();
    const lines = readFileSync(programs.fileOf('annals.ndjson'), 'utf8').trimEnd().split('\n');
    const broken = lines.map((line) => JSON.parse(line) as ExportLine);
    const spoiled = broken.find(({ kind }) => kind === 'memory')!;
    spoiled.data['former_ends'] = [{ validTo: null }];
    for (const { kind, data } of broken) if (kind === 'conversation') data['created_at'] = 'never';
    const file = programs.write('ann.ndjson', broken.map((line) => JSON.stringify(line)).join('\n'));
    const list = programs.write('not-taken.ndjson', '');
    const { code, stdout } = await programs.run(key, 'import', file, '--user', 'ann', '--not-taken', list);
    expect(stdout).toMatch(/conversations: (\d+) read, 0 new, 0 already there, \1 refused/);
    expect([code, stdout]).toEqual([1, expect.stringContaining('The server refused their conversation.')]);
    expect(stdout).toMatch(/memories: \d+ read, [1-9]\d* new/);
    const refused = readFileSync(list, 'utf8');
    for (const line of broken) {
      const { kind } = line;
      if (kind === 'conversation' || kind === 'message' || line === spoiled) expect(refused).toContain(line.data['id']);
    }
  });

  it('moves memories with more references than a request takes', async () => {
    const key = await programs.createTenant();
    const file = programs.write('ann.ndjson', writeManyReferences(150));
    const { code, stdout } = await programs.run(key, 'import', file, '--user', 'ann');
    expect([code, stdout]).toEqual([0, expect.stringContaining('memories: 151 read, 151 new, 0 already there')]);
    expect(stdout).toContain('50 × former ends of memories beyond 100');
    const exported = await programs.exportOf(key, 'ann');
    const moved = exported.find(({ data }) => data['content'] === 'The user likes tea.')!.data;
    expect(moved['sources']).toHaveLength(150);
    expect(moved['relations']).toHaveLength(150);
    expect(moved['former_ends']).toHaveLength(100);
  });

  it('says what is refused, takes the rest, and writes a list of it', async () => {
    const key = await programs.createTenant();
    const memories = [
      { id: 'a', memory: 'The user paints.', created_at: '2024-01-01T00:00:00Z' },
      { id: 'b', memory: '…', created_at: '2024-01-01T00:00:00Z' },
      { id: 'c', memory: 'The user sings.', created_at: '2190-01-01T00:00:00Z' },
    ];
    const file = programs.write('mem0.json', JSON.stringify(memories));
    const list = programs.write('not-taken.ndjson', '');
    const { code, stdout } = await programs.run(key, 'import', file, '--user', 'ann', '--not-taken', list);
    expect(code).toBe(1);
    expect(stdout).toContain('memories: 3 read, 1 new, 0 already there, 2 refused');
    expect(stdout).toContain('1 × Write a sentence: the content has no letter or digit.');
    expect(
      readFileSync(list, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { kind: 'memory', id: 'b', isRefused: true },
      { kind: 'memory', id: 'c', isRefused: true },
    ]);
  });

  it.each([
    ['no JSON', 'Hello.', 'annals: The file is no JSON: give an export as it was downloaded.'],
    ['an unknown form', '[{"a":1}]', 'annals: The format of the file is not recognised'],
    ['cut off', '[{"uuid":"a","chat_messages":[', 'annals: The file is no complete JSON'],
    ['of another version', '{"kind":"manifest","schema_version":2}\n{}\n', 'annals: The export has version 2'],
    ['an export without its end', '{"kind":"manifest","schema_version":1}\n{}\n', 'annals: The export was cut off'],
  ])('refuses a file that is %s', async (_what, content, message) => {
    const key = await programs.createTenant();
    const { code, stderr } = await programs.run(key, 'import', programs.write('x.json', content), '--user', 'ann');
    expect([code, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(message)]);
  });

  it('names what is missing: a key, a scope, a server, a file', async () => {
    const key = await programs.createTenant();
    const file = programs.fileOf('mem0.json');
    const { key: ingestOnly = '' } = await programs
      .clientOf(key)
      .admin.keys.create({ name: 'posts', scopes: ['ingest'] });
    expect(await programs.run('', 'import', file, '--user', 'ann')).toMatchObject({
      code: 2,
      stderr: 'annals: Set ANNALS_API_KEY to an API key of Annals, ann_….\n',
    });
    expect((await programs.run('ann_wrong', 'import', file, '--user', 'ann')).stderr).toContain('unknown or expired');
    expect((await programs.run(ingestOnly, 'import', file, '--user', 'ann')).code).toBe(2);
    expect((await programs.run(key, 'import', '/nowhere.json', '--user', 'ann')).stderr).toContain('cannot be read');
    const list = await programs.run(key, 'import', file, '--user', 'ann', '--not-taken', '/nowhere/list');
    expect([list.code, list.stderr]).toEqual([2, expect.stringContaining('give another path with --not-taken')]);
    const away = await programs.run(key, 'export', '--user', 'ann', '--url', 'http://127.0.0.1:9');
    expect([away.code, away.stderr]).toEqual([3, expect.stringContaining('Annals does not answer')]);
  });

  it('does not write over the file to import, nor over one that is no state', async () => {
    const key = await programs.createTenant();
    const file = programs.fileOf('mem0.json');
    const before = readFileSync(file, 'utf8');
    const precious = programs.write('precious.txt', 'precious');
    const refusals = [
      ['--not-taken', file, '--dry-run'],
      ['--state', file],
      ['--state', precious],
    ];
    for (const options of refusals) {
      const { code, stderr } = await programs.run(key, 'import', file, '--user', 'ann', ...options);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`give another path with ${options[0]}.`)]);
    }
    expect([readFileSync(file, 'utf8'), readFileSync(precious, 'utf8')]).toEqual([before, 'precious']);
  });

  it('does not go on with the state of another file', async () => {
    const key = await programs.createTenant();
    const file = programs.fileOf('mem0.json');
    writeFileSync(`${file}.annals-import`, '{"version":1,"key":"of another","pass":1,"position":100}');
    const { stdout } = await programs.run(key, 'import', file, '--user', 'ann');
    expect(stdout).toContain('memories: 4 read, 4 new');
  });
});
