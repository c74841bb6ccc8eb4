import { ConnectionError, PermissionError, UnexpectedResponseError } from '@annals/sdk';
import { createVault, type MemoryVault, problem } from '../fixtures/memory-vault.fixture.js';
import { type AnnalsMemoryTool, annalsMemoryTool } from './annals-memory-tool.js';

const NOTES = '/memories/notes.md';
const TEA = 'The user likes tea.';
const DOG = 'The user has a dog.';
const LISBON = 'The user lives in Lisbon.';
const PORTO = 'The user lives in Porto.';
const FORBIDDEN = new PermissionError(problem(403, 'forbidden_agent'), undefined);

describe('annalsMemoryTool, when others change what it changes', () => {
  let vault: MemoryVault;
  let tool: AnnalsMemoryTool;
  beforeEach(() => {
    vault = createVault();
    tool = annalsMemoryTool(vault.client, { user: 'mara' });
  });
  const create = (file_text: string, path = NOTES) => tool.create({ command: 'create', path, file_text });
  const remove = (path = NOTES) => tool.delete({ command: 'delete', path });

  it.each([
    ['that a person changed', { pinned: true }],
    ['that a person stated as well', { revision: 1, sources: [{ quote: TEA }] }],
  ])('keeps a memory %s when its line is deleted', async (_which, change) => {
    await create(`${TEA}\n${DOG}`);
    vault.touch(TEA, change as never);
    await remove();
    expect(vault.contents()).toEqual([TEA]);
  });

  it('deletes with its line what took the place of another memory', async () => {
    vault.supersedes(PORTO, LISBON);
    await create(LISBON);
    await create(PORTO, '/memories/now.md');
    await remove('/memories/now.md');
    expect(vault.contents()).toEqual([]);
  });

  it('makes valid again what a command superseded that failed', async () => {
    vault.supersedes(PORTO, LISBON);
    await create(LISBON);
    vault.once('save', 'before', () => Promise.reject(FORBIDDEN));
    await expect(create(`${PORTO}\n${DOG}`, '/memories/now.md')).rejects.toThrow('Refused');
    expect(vault.contents()).toEqual([LISBON]);
  });

  it('leaves what somebody has changed since a command that failed added it', async () => {
    vault.once('save', 'before', () => {
      vault.touch(TEA, {});
      throw FORBIDDEN;
    });
    await expect(create(`${TEA}\n${DOG}`)).rejects.toThrow('Refused');
    expect(vault.contents()).toEqual([TEA]);
  });

  it.each(['both', 'one after the other'])(
    'deletes a memory with the last of its lines, in files deleted %s',
    async (how) => {
      await create(TEA, '/memories/a/one.md');
      await create(TEA, '/memories/a/other.md');
      for (const path of how === 'both' ? ['/memories/a'] : ['/memories/a/one.md', '/memories/a/other.md'])
        await remove(path);
      expect(vault.contents()).toEqual([]);
    },
  );

  it('deletes a memory with the last of its lines also where these read differently', async () => {
    vault.same('the user likes tea', TEA);
    await create(TEA);
    await tool.insert({ command: 'insert', path: NOTES, insert_line: 0, insert_text: 'the user likes tea' });
    await tool.str_replace({ command: 'str_replace', path: NOTES, old_str: `${TEA}\n`, new_str: '' });
    expect(vault.contents()).toEqual([TEA]);
    await remove();
    expect(vault.contents()).toEqual([]);
  });

  const LOST = new ConnectionError('The connection was lost.');

  it.each([
    ['lost', () => Promise.reject(LOST)],
    [
      'lost, and somebody has changed them again',
      async () => {
        await annalsMemoryTool(vault.client, { user: 'mara' }).create({
          command: 'create',
          path: '/memories/x.md',
          file_text: '',
        });
        throw LOST;
      },
    ],
    ['that of a proxy', () => Promise.reject(new UnexpectedResponseError('A page.', 504, undefined))],
  ])('has changed the files if they were saved and the answer was %s', async (_which, interrupt) => {
    vault.once('save', 'after', interrupt);
    expect(await create(TEA)).toMatch(/^File created/);
    expect(vault.contents()).toEqual([TEA]);
    await remove();
    expect(vault.contents()).toEqual([]);
  });

  it('has changed nothing if the files of another command were saved', async () => {
    vault.once('save', 'before', async () => {
      await annalsMemoryTool(vault.client, { user: 'mara' }).create({
        command: 'create',
        path: '/memories/x.md',
        file_text: DOG,
      });
      throw LOST;
    });
    await expect(create(TEA)).rejects.toThrow('lost');
    expect(vault.contents()).toEqual([DOG]);
  });

  it('takes nothing back if nobody can tell whether the files were saved', async () => {
    vault.once('save', 'after', () => {
      vault.refuse('checkpoint', LOST);
      throw LOST;
    });
    await expect(create(TEA)).rejects.toThrow('lost');
    vault.allow('checkpoint');
    expect(await tool.view({ command: 'view', path: NOTES })).toContain(TEA);
  });

  const edit = (old_str: string, new_str: string) =>
    tool.str_replace({ command: 'str_replace', path: NOTES, old_str, new_str });
  const elsewhere = (path: string) =>
    annalsMemoryTool(vault.client, { user: 'mara' }).create({ command: 'create', path, file_text: '' });

  it('shows what others corrected while the command was tried', async () => {
    await create(`${LISBON}\n${DOG}`);
    vault.once('save', 'before', async () => {
      vault.correct(LISBON, PORTO);
      await elsewhere('/memories/x.md');
    });
    expect(await edit(DOG, TEA)).toContain(PORTO);
    expect(vault.contents()).toEqual([TEA, PORTO]);
  });

  it('corrects once, however often the command is tried', async () => {
    await create(`- ${LISBON}\n- ${DOG}`);
    vault.once('save', 'before', () => elsewhere('/memories/x.md'));
    vault.once('save', 'before', () => undefined);
    vault.once('save', 'before', () => elsewhere('/memories/y.md'));
    expect(await edit(LISBON, PORTO)).toContain(PORTO);
    expect(vault.contents()).toEqual([DOG, PORTO]);
  });

  it('corrects what somebody changed meanwhile, and keeps it when its line goes', async () => {
    await create(LISBON);
    vault.once('update', 'before', () => vault.touch(LISBON, { pinned: true } as never));
    await edit(LISBON, PORTO);
    expect(vault.contents()).toEqual([PORTO]);
    await remove();
    expect(vault.contents()).toEqual([PORTO]);
  });

  it.each([
    ['corrected', () => vault.correct(LISBON, DOG), [DOG]],
    ['forgot', () => vault.touch(LISBON, { state: 'soft_deleted' }), []],
  ])('tells the model if what it corrects is gone, since somebody %s it', async (_how, change, left) => {
    await create(LISBON);
    vault.once('update', 'before', change);
    await expect(edit(LISBON, PORTO)).rejects.toThrow('did not appear verbatim');
    expect(vault.contents()).toEqual(left);
  });

  it('goes on although a memory cannot be deleted, and deletes it once it can', async () => {
    await create(`${TEA}\n${DOG}`);
    vault.refuse('delete', FORBIDDEN);
    await expect(remove()).rejects.toThrow(/^The files were changed, but/);
    expect(await create(LISBON)).toMatch(/^File created/);
    expect(await create(DOG, '/memories/dog.md')).toMatch(/^File created/);
    vault.allow('delete');
    await create('', '/memories/x.md');
    // In a file again, and so no longer to be deleted.
    expect(vault.contents()).toEqual([DOG, LISBON].toSorted());
  });
});
