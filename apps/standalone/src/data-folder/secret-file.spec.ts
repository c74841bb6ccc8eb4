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

  it('makes a secret once and gives the same one ever after', () => {
    const made = getOrCreateSecret(file);
    expect(made.length).toBeGreaterThanOrEqual(32);
    expect(getOrCreateSecret(file)).toBe(made);
  });

  it('makes another one for another file', () => {
    expect(getOrCreateSecret(join(folder, 'other.key'))).not.toBe(getOrCreateSecret(file));
  });

  it('lets only the owner read it', () => {
    getOrCreateSecret(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('takes away what others may do with a file that is there', () => {
    writeFileSync(file, 'given\n', { mode: 0o644 });
    expect(readSecret(file)).toBe('given');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is not misled by a start that was killed in the middle', () => {
    writeFileSync(`${file}.new`, 'hal');
    const text = getOrCreateSecret(file);
    expect(readFileSync(file, 'utf8')).toBe(`${text}\n`);
  });
});
