import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFolder, copyWrittenFolder } from './copy-files.js';

const NOW = Date.UTC(2026, 0, 5);
const LONG_AGO = new Date(NOW - 3_600_000);

describe('copies of a folder', () => {
  let root: string;
  let from: string;
  let to: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'annals-copy-'));
    [from, to] = [join(root, 'from'), join(root, 'to')];
    mkdirSync(join(from, 'base', 'empty'), { recursive: true });
    for (const name of ['kept', 'grown', 'rewritten', 'removed']) write(name, name);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(name: string, text: string, at = LONG_AGO): void {
    writeFileSync(join(from, 'base', name), text);
    utimesSync(join(from, 'base', name), at, at);
  }
  const read = (name: string) => readFileSync(join(to, 'base', name), 'utf8');

  it('have every file and every empty folder, but nothing that sorts have written aside', async () => {
    mkdirSync(join(from, 'base', 'pgsql_tmp'));
    writeFileSync(join(from, 'base', 'pgsql_tmp', 'sort'), 'words');
    await copyFolder(from, to);
    expect([read('kept'), existsSync(join(to, 'base', 'empty'))]).toEqual(['kept', true]);
    expect(existsSync(join(to, 'base', 'pgsql_tmp'))).toBe(false);
  });

  it('are brought up to date by copying again only what was written, added or removed meanwhile', async () => {
    const copy = await copyWrittenFolder(from, to, NOW);
    write('grown', 'grown more');
    write('rewritten', 'nettirwer', new Date(NOW + 1_000));
    write('added', 'added', new Date(NOW + 1_000));
    rmSync(join(from, 'base', 'removed'));
    expect(await copy.finish()).toEqual({ again: 3 });
    expect(['kept', 'grown', 'rewritten', 'added'].map(read)).toEqual(['kept', 'grown more', 'nettirwer', 'added']);
    expect(existsSync(join(to, 'base', 'removed'))).toBe(false);
  });

  it('copy a file again that was written in the same moment as the copy began', async () => {
    write('kept', 'kept', new Date(NOW - 1_000));
    const copy = await copyWrittenFolder(from, to, NOW);
    write('kept', 'tpek', new Date(NOW - 1_000));
    expect(await copy.finish()).toEqual({ again: 1 });
    expect(read('kept')).toBe('tpek');
  });
});
