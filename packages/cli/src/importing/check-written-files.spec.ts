import { linkSync, mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkWrittenFiles } from './check-written-files.js';

describe('files that an import writes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'annals-files-'));
  const at = (name: string) => path.join(folder, name);
  const input = at('in.json');
  beforeAll(() => {
    writeFileSync(input, '[]');
    writeFileSync(at('precious.txt'), 'precious');
    writeFileSync(at('package.json'), '{\n  "version": "1.0.0"\n}');
    writeFileSync(at('state'), '{"version":1,"key":"of another","pass":1,"position":100}');
    writeFileSync(at('cut off'), '{"version":7,"key":"of anoth');
    writeFileSync(at('empty'), '');
    writeFileSync(at('old.tmp'), 'precious');
    mkdirSync(at('folder'));
    linkSync(input, at('hard link'));
    symlinkSync(input, at('symbolic link'));
    symlinkSync(folder, at('same folder'));
    linkSync(at('state'), at('state again'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const check = (state: string, notTaken?: string) =>
    checkWrittenFiles({ input, state: at(state), notTaken: notTaken === undefined ? undefined : at(notTaken) });

  it.each([['in.json'], ['hard link'], ['symbolic link'], ['same folder/in.json'], ['folder/../in.json']])(
    'are not the one to import: %s',
    async (name) => {
      await expect(check(name)).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/--state\.$/) });
      const refused = check('new', name);
      await expect(refused).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/--not-taken\.$/) });
    },
  );

  it('are not the one to import, under the name that is written first', async () => {
    const written = { input: at('old.tmp'), state: at('old'), notTaken: undefined };
    await expect(checkWrittenFiles(written)).rejects.toThrow('would overwrite the file to import');
  });

  it.each([
    ['new', 'new'],
    ['new', 'same folder/new'],
    ['new', 'new.tmp'],
    ['state', 'state'],
    ['state', 'state again'],
  ])('are not each other: %s and %s', async (state, notTaken) => {
    await expect(check(state, notTaken)).rejects.toThrow('give --not-taken and --state different paths');
  });

  it.each([['precious.txt'], ['package.json'], ['folder'], ['old']])(
    'do not replace what is no state: %s',
    async (name) => {
      await expect(check(name)).rejects.toThrow('is no state of an import: give another path with --state.');
    },
  );

  it.each([['new'], ['state'], ['cut off'], ['empty']])('may replace a state, or nothing: %s', async (name) => {
    await check(name, 'list');
    await check(name, 'precious.txt');
    expect(readFileSync(input, 'utf8')).toBe('[]');
  });
});
