import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getOrCreateSecret, readSecret } from './secret-file.js';

describe('getOrCreateSecret', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'annals-secret-'));
    file = join(folder, 'secret.key');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('creates a secret once and returns the same one from then on', () => {
    const created = getOrCreateSecret(file);
    expect(created.length).toBeGreaterThanOrEqual(32);
    expect(getOrCreateSecret(file)).toBe(created);
  });

  it('creates another secret for another file', () => {
    expect(getOrCreateSecret(join(folder, 'other.key'))).not.toBe(getOrCreateSecret(file));
  });

  it('lets only the owner read it', () => {
    getOrCreateSecret(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('removes the permissions of others from an existing file', () => {
    writeFileSync(file, 'given\n', { mode: 0o644 });
    expect(readSecret(file)).toBe('given');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('ignores an unfinished file of a start that was killed', () => {
    writeFileSync(`${file}.new`, 'hal');
    const text = getOrCreateSecret(file);
    expect(readFileSync(file, 'utf8')).toBe(`${text}\n`);
  });
});
