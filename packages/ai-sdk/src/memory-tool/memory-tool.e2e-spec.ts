import { createAnthropic } from '@ai-sdk/anthropic';
import { Annals } from '@annals/sdk';
import { type AnnalsSystem, ApiClient, startSystem } from '@annals/testing';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import { generateText, isStepCount } from 'ai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockLanguageModelV4 } from 'ai/test';
import { answer } from '../fixtures/answers.fixture.js';
import { type AnnalsMemoryTool, annalsMemoryTool, type MemoryCommand } from '../index.js';

const NOTES = '/memories/people/mara.md';
const FILE = `# Mara

- The user is allergic to peanuts.
- The user lives in Lisbon.
---
`;
const shown = (path: string, ...lines: string[]) =>
  `Here's the content of ${path} with line numbers:\n${lines.map((line, index) => `${`${index + 1}`.padStart(6)}\t${line}`).join('\n')}`;

describe('annalsMemoryTool, over HTTP', () => {
  let system: AnnalsSystem;
  let annals: Annals;
  beforeAll(async () => {
    system = await startSystem();
    annals = new Annals({ baseUrl: system.nextUrl(), apiKey: system.tenantKey });
  });
  afterAll(() => system?.close());

  let users = 0;
  let user: string;
  let memory: AnnalsMemoryTool;
  beforeEach(() => {
    users += 1;
    user = `user-${users}`;
    memory = annalsMemoryTool(annals, { user });
  });
  const view = (path: string) => memory.view({ command: 'view', path });
  const create = (path: string, file_text: string) => memory.create({ command: 'create', path, file_text });
  const replace = (old_str: string, new_str: string, path = NOTES) =>
    memory.str_replace({ command: 'str_replace', path, old_str, new_str });
  async function listed(): Promise<string[]> {
    const contents: string[] = [];
    for await (const { content } of annals.memories.list({ user_id: user })) contents.push(content);
    return contents.toSorted();
  }

  it('keeps a line as a memory: listed, found, corrected and forgotten by the person', async () => {
    expect(await create(NOTES, FILE)).toBe(`File created successfully at: ${NOTES}`);
    expect(await view(NOTES)).toBe(
      shown(NOTES, '# Mara', '', '- The user is allergic to peanuts.', '- The user lives in Lisbon.', '---', ''),
    );
    expect(await listed()).toEqual(['The user is allergic to peanuts.', 'The user lives in Lisbon.']);
    const { memories } = await annals.memory.query({ query: 'peanut allergy', filters: { user_id: user } });
    expect(memories[0]!.text).toContain('allergic to peanuts');

    const { items } = await annals.memories.list({ user_id: user }).page();
    const home = items.find(({ content }) => content.includes('Lisbon'))!;
    await annals.memories.update(home.id, { content: 'The user lives in Porto.' });
    const request = { user_id: user, text: 'forget that I am allergic to peanuts' };
    const { plan } = await annals.memories.forget(request);
    await annals.memories.forget({ ...request, dry_run: false, plan });
    expect(await view(NOTES)).toBe(shown(NOTES, '# Mara', '', '- The user lives in Porto.', '---', ''));

    // The layout says nothing of what was forgotten or corrected.
    const { data } = await annals.checkpoints.get(user, 'memory-tool');
    expect(JSON.stringify(data)).not.toMatch(/peanuts|Lisbon|Porto/);
  });

  it('edits a line: what it said before is superseded', async () => {
    await create(NOTES, FILE);
    expect(await replace('Lisbon', 'Porto')).toBe(
      [
        'The memory file has been edited. Here is the snippet showing the change (with line numbers):',
        '     2\t',
        '     3\t- The user is allergic to peanuts.',
        '     4\t- The user lives in Porto.',
        '     5\t---',
        '     6\t',
      ].join('\n'),
    );
    expect(await listed()).toEqual(['The user is allergic to peanuts.', 'The user lives in Porto.']);
    const { items } = await annals.memories.list({ user_id: user, include_superseded: true }).page();
    const [before, now] = ['Lisbon', 'Porto'].map((city) => items.find(({ content }) => content.includes(city))!);
    expect(before!.superseded_by).toBe(now!.id);
  });

  it('inserts, and deletes with the line what only the line said', async () => {
    await annals.memories.create({ user_id: user, content: 'The user likes tea.', category: 'preferences' });
    await create(NOTES, FILE);
    const insert_text = '- The user likes tea.\n- The user has a dog.\n';
    expect(await memory.insert({ command: 'insert', path: NOTES, insert_line: 3, insert_text })).toBe(
      `The file ${NOTES} has been edited.`,
    );
    expect(await listed()).toHaveLength(4);
    await create('/memories/pets.md', 'The user has a dog.');
    expect(await memory.delete({ command: 'delete', path: '/memories/people' })).toBe(
      'Successfully deleted /memories/people',
    );
    // Said elsewhere, and still in the other file.
    expect(await listed()).toEqual(['The user has a dog.', 'The user likes tea.']);
    await expect(view(NOTES)).rejects.toThrow(`The path ${NOTES} does not exist. Please provide a valid path.`);
  });

  it('deletes a memory with its last line, unless somebody has changed it', async () => {
    await create(NOTES, 'The user has a cat.\nThe user has a cat.\nThe user has a bike.');
    await replace('The user has a cat.\nThe user has a cat.\n', 'The user has a cat.\n');
    expect(await listed()).toEqual(['The user has a bike.', 'The user has a cat.']);
    const { items } = await annals.memories.list({ user_id: user }).page();
    const bike = items.find(({ content }) => content.includes('bike'))!;
    await annals.memories.update(bike.id, { content: 'The user has a red bike.' });
    await create('/memories/tea.md', 'The user likes tea.');
    const { items: all } = await annals.memories.list({ user_id: user }).page();
    const tea = all.find(({ content }) => content.includes('tea'))!;
    await annals.memories.update(tea.id, { pinned: true });
    for (const path of [NOTES, '/memories/tea.md']) await memory.delete({ command: 'delete', path });
    expect(await listed()).toEqual(['The user has a red bike.', 'The user likes tea.']);
  });

  it('masks what must not be stored, as everywhere', async () => {
    await create(NOTES, 'The user can be reached at mara@example.com.');
    expect(await view(NOTES)).not.toContain('mara@example.com');
    expect(await view(NOTES)).toMatch(/reached at \[.+\]\./);
  });

  it('shows what is in a folder, renames, and refuses what cannot be', async () => {
    await create(NOTES, FILE);
    await create('/memories/a/b/c/deep.md', 'The user has a deep file.');
    await create('/memories/.hidden', 'The user has a hidden file.');
    expect(await memory.rename({ command: 'rename', old_path: '/memories/people', new_path: '/memories/who' })).toBe(
      'Successfully renamed /memories/people to /memories/who',
    );
    expect(await view('/memories')).toBe(
      [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        '100B\t/memories',
        '25B\t/memories/a/',
        '25B\t/memories/a/b/',
        '75B\t/memories/who/',
        '75B\t/memories/who/mara.md',
      ].join('\n'),
    );
    await expect(create('/memories/who/mara.md', '')).rejects.toThrow('File /memories/who/mara.md already exists');
    await expect(create('/memories/who/mara.md/x', '')).rejects.toThrow('is a file');
    await expect(replace('x', 'y', '/memories/who')).rejects.toThrow('The path /memories/who is not a file.');
  });

  it('tells the model which lines are refused and why, and keeps nothing of the command', async () => {
    const admin = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key } = await admin.must('createTenant', { body: { name: 'strict', writing_checks: 'refuse' } });
    const strict = new Annals({ baseUrl: system.nextUrl(), apiKey: key });
    const tool = annalsMemoryTool(strict, { user });
    const file_text = ['The user likes tea.', `The user ${'very '.repeat(80)}much likes tea.`].join('\n');
    const creating = tool.create({ command: 'create', path: NOTES, file_text });
    await expect(creating).rejects.toThrow(/^Nothing was changed\. These lines cannot be remembered:\nLine 2: .*280/s);
    expect(await strict.memories.list({ user_id: user }).page()).toMatchObject({ items: [] });
    await expect(tool.view({ command: 'view', path: NOTES })).rejects.toThrow('does not exist');
  });

  it('loses nothing when several processes write at once', async () => {
    await create(NOTES, '# Numbers');
    const numbers = ['one', 'two', 'three', 'four', 'five'];
    await Promise.all(
      numbers.map((number) =>
        annalsMemoryTool(annals, { user }).insert({
          command: 'insert',
          path: NOTES,
          insert_line: 1,
          insert_text: `The user counts to ${number}.`,
        }),
      ),
    );
    const lines = (await view(NOTES)).split('\n').slice(2);
    expect(lines.map((line) => line.slice(7)).toSorted()).toEqual(await listed());
    expect(lines).toHaveLength(numbers.length);
  });

  describe('when a request fails on the way', () => {
    const fail = () => Promise.reject(new Error('The connection was lost.'));
    const failing = (route: 'memories' | 'checkpoints', method: string) =>
      annalsMemoryTool(
        {
          memories: annals.memories,
          checkpoints: annals.checkpoints,
          [route]: Object.create(annals[route], { [method]: { value: fail } }) as never,
        },
        { user },
      );

    it('keeps nothing of a command whose files could not be saved', async () => {
      const tool = failing('checkpoints', 'put');
      await create('/memories/home.md', 'The user lives in Porto.');
      await expect(tool.create({ command: 'create', path: NOTES, file_text: FILE })).rejects.toThrow('lost');
      expect(await listed()).toEqual(['The user lives in Porto.']);
      await create(NOTES, FILE);
      expect(await listed()).toEqual(['The user is allergic to peanuts.', 'The user lives in Lisbon.']);
    });

    it('has changed the files if they were saved and the answer was lost', async () => {
      const put = (...save: Parameters<Annals['checkpoints']['put']>) => annals.checkpoints.put(...save).then(fail);
      const checkpoints = Object.create(annals.checkpoints, { put: { value: put } }) as never;
      const tool = annalsMemoryTool({ memories: annals.memories, checkpoints }, { user });
      await tool.create({ command: 'create', path: NOTES, file_text: FILE });
      expect(await view(NOTES)).toContain('peanuts');
      expect(await listed()).toHaveLength(2);
    });

    it('deletes with the next command what could not be deleted', async () => {
      await create(NOTES, 'The user has a cat.\nThe user has a dog.\nThe user has a bike.');
      const edit = { command: 'str_replace', path: NOTES, old_str: 'The user has a cat.', new_str: '# Pets' } as const;
      await expect(failing('memories', 'delete').str_replace(edit)).rejects.toThrow(/^The files were changed, but/);
      expect(await view(NOTES)).toBe(shown(NOTES, '# Pets', 'The user has a dog.', 'The user has a bike.'));
      expect(await listed()).toContain('The user has a cat.');
      await memory.rename({ command: 'rename', old_path: NOTES, new_path: '/memories/pets.md' });
      expect(await listed()).toEqual(['The user has a bike.', 'The user has a dog.']);
    });

    it('leaves alone what somebody has restored meanwhile', async () => {
      await create(NOTES, 'The user has a cat.\nThe user has a dog.');
      const { items } = await annals.memories.list({ user_id: user }).page();
      const cat = items.find(({ content }) => content.includes('cat'))!;
      await replace('The user has a cat.\n', '');
      await annals.memories.restore(cat.id);
      await memory.rename({ command: 'rename', old_path: NOTES, new_path: '/memories/pets.md' });
      expect(await listed()).toEqual(['The user has a cat.', 'The user has a dog.']);
    });
  });

  it('is a tool of @ai-sdk/anthropic', async () => {
    const tools = { memory: createAnthropic({ apiKey: 'sk-1' }).tools.memory_20250818({ execute: memory.execute }) };
    const commands: MemoryCommand[] = [
      { command: 'create', path: NOTES, file_text: 'The user likes tea.' },
      { command: 'view', path: NOTES },
      { command: 'view', path: '/memories/../etc/passwd' },
    ];
    const calls = commands.map((command, index) => ({
      ...answer(),
      finishReason: { unified: 'tool-calls' as const, raw: undefined },
      content: [
        { type: 'tool-call' as const, toolCallId: `call-${index}`, toolName: 'memory', input: JSON.stringify(command) },
      ],
    }));
    const model = new MockLanguageModelV4({ doGenerate: [...calls, answer('Done.')] });
    const { steps } = await generateText({ model, tools, prompt: 'Note it.', stopWhen: isStepCount(5) });
    const results = steps.flatMap(({ content }) =>
      content.flatMap((part): unknown[] => {
        if (part.type === 'tool-result') return [part.output];
        return part.type === 'tool-error' ? [(part.error as Error).message] : [];
      }),
    );
    expect(results).toEqual([
      `File created successfully at: ${NOTES}`,
      shown(NOTES, 'The user likes tea.'),
      'Path /memories/../etc/passwd would escape /memories directory',
    ]);
  });

  it('is a backend of betaMemoryTool of @anthropic-ai/sdk', async () => {
    const tool = betaMemoryTool(memory);
    expect(tool).toMatchObject({ type: 'memory_20250818', name: 'memory' });
    await tool.run({ command: 'create', path: NOTES, file_text: 'The user likes tea.' });
    expect(await tool.run({ command: 'view', path: NOTES, view_range: [1, -1] })).toBe(
      shown(NOTES, 'The user likes tea.'),
    );
    expect(await listed()).toEqual(['The user likes tea.']);
  });

  it('answers as the backend on files of @anthropic-ai/sdk does, errors too', async () => {
    const file = '/memories/notes/a.md';
    const file_text = '# Notes\n\n- The user likes tea.\n- The user likes dogs.\n- The user has a cat.\n';
    const look = { command: 'view', path: file } as const;
    const commands: MemoryCommand[] = [
      { command: 'create', path: file, file_text },
      { command: 'create', path: file, file_text },
      look,
      { ...look, view_range: [3, 4] },
      { ...look, view_range: [5, -1] },
      { ...look, view_range: [0, 1] },
      { ...look, path: '/memories/none.md' },
      { ...look, path: '/memories/../etc' },
      { ...look, path: '/etc' },
      { command: 'str_replace', path: file, old_str: 'a cat', new_str: 'two cats' },
      { command: 'str_replace', path: file, old_str: '# Notes', new_str: '# Notes\n\nThe user lives in $& Lisbon.' },
      { command: 'str_replace', path: file, old_str: 'likes', new_str: 'loves' },
      { command: 'str_replace', path: file, old_str: 'a horse', new_str: 'a cow' },
      { command: 'str_replace', path: '/memories/notes', old_str: 'a', new_str: 'b' },
      { command: 'str_replace', path: '/memories/none.md', old_str: 'a', new_str: 'b' },
      look,
      { command: 'insert', path: file, insert_line: 0, insert_text: 'The user is called Mara.\n' },
      { command: 'insert', path: file, insert_line: 4, insert_text: '- The user has a bike.\n- The user has a car.' },
      { command: 'insert', path: file, insert_line: 99, insert_text: 'x' },
      { command: 'insert', path: file, insert_line: -1, insert_text: 'x' },
      { command: 'insert', path: '/memories/none.md', insert_line: 0, insert_text: 'x' },
      look,
      { command: 'create', path: '/memories/b.md', file_text: '' },
      { ...look, path: '/memories/b.md' },
      { command: 'rename', old_path: file, new_path: '/memories/b.md' },
      { command: 'rename', old_path: '/memories/none.md', new_path: '/memories/c.md' },
      { command: 'rename', old_path: '/memories', new_path: '/memories/c' },
      { command: 'rename', old_path: '/memories/notes', new_path: '/memories/old/notes' },
      { ...look, path: '/memories/old/notes/a.md' },
      { command: 'delete', path: '/memories' },
      { command: 'delete', path: '/memories/none.md' },
      { command: 'delete', path: '/memories/old' },
      { ...look, path: '/memories/old/notes/a.md' },
    ];
    const folder = mkdtempSync(join(tmpdir(), 'annals-memory-tool-'));
    try {
      const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder));
      const ours = betaMemoryTool(memory);
      for (const command of commands) {
        const [expected, actual] = await Promise.all([tell(theirs, command), tell(ours, command)]);
        expect({ command, ...actual }).toEqual({ command, ...expected });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

type BetaTool = ReturnType<typeof betaMemoryTool>;

async function tell(tool: BetaTool, command: MemoryCommand): Promise<object> {
  try {
    return { result: await tool.run(command as Parameters<BetaTool['run']>[0]) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
