import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireDataFolderLock, DataFolderUnusableError } from './data-folder-lock.js';

describe('acquireDataFolderLock', () => {
  let parent: string;
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'annals-lock-'));
  });
  afterAll(() => rmSync(parent, { recursive: true }));

  it('reports which folder cannot be written and what to do', () => {
    const file = join(parent, 'a-file');
    writeFileSync(file, '');
    const acquire = () => acquireDataFolderLock(join(file, 'data'));
    expect(acquire).toThrow(DataFolderUnusableError);
    expect(acquire).toThrow(/a-file.* \(ENOTDIR\).* ANNALS_DATA_DIR /);
  });
});
