import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { findSite, SiteFiles } from './site-files.js';

const SCRIPT = 'console.log("annals");'.repeat(50);

describe('SiteFiles', () => {
  let folder: string;
  let files: SiteFiles;
  beforeAll(async () => {
    const parent = await mkdtemp(path.join(tmpdir(), 'site-'));
    folder = path.join(parent, 'site');
    await mkdir(path.join(folder, 'assets'), { recursive: true });
    await writeFile(path.join(folder, 'index.html'), '<!doctype html>');
    await writeFile(path.join(folder, 'assets', 'main.js'), SCRIPT);
    await writeFile(path.join(folder, '.version'), 'secret');
    await writeFile(path.join(folder, 'notes.txt'), 'secret');
    await writeFile(path.join(parent, 'above.js'), 'secret');
    files = new SiteFiles(folder);
  });
  afterAll(() => rm(path.dirname(folder), { recursive: true }));

  it('has what the build made, with its type', async () => {
    const page = await files.read('index.html', '');
    expect([page?.type, page?.encoding, page?.content.toString()]).toEqual([
      'text/html; charset=utf-8',
      null,
      '<!doctype html>',
    ]);
  });

  it.each(['../above.js', 'assets/../../above.js', '/etc/passwd', '.version', 'notes.txt', 'assets', '', 'other.js'])(
    'has no %s',
    async (name) => expect(await files.read(name, '')).toBeNull(),
  );

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['br;q=0.000, gzip;q=0.5', 'gzip'],
    ['identity', null],
    ['brotli, xgzip', null],
    ['*', null],
  ])('encodes a file for a browser that accepts %s', async (accepted, encoding) => {
    const file = await files.read('assets/main.js', accepted);
    expect(file?.encoding).toBe(encoding);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync };
    const plain = file?.encoding ? decode[file.encoding](file.content) : file?.content;
    expect(plain?.toString()).toBe(SCRIPT);
  });

  it('has no file that was removed since', async () => {
    const file = path.join(folder, 'assets', 'old.js');
    await writeFile(file, SCRIPT);
    const built = new SiteFiles(folder);
    await built.read('index.html', '');
    await rm(file);
    expect(await built.read('assets/old.js', 'br')).toBeNull();
  });

  it('compresses a file once, however many ask at once', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, () => files.read('assets/main.js', 'br')));
    expect(new Set(asked.map((file) => file!.content)).size).toBe(1);
  });
});

describe('the pages, as they were built', () => {
  it('are together at most 300 kB of compressed files', async () => {
    const folder = findSite();
    const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:js|css|html|svg)$/.test(name));
    expect(names.length).toBeGreaterThan(10);
    const sizes = await Promise.all(
      names.map(async (name) => gzipSync(await readFile(path.join(folder, name))).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
  });
});
