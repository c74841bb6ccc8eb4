import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { publint } from 'publint';
import { installSdk, packSdk, type PackedSdk } from './install-sdk.js';

/** Twice what it is: what adds that much is meant to be noticed. */
const MAX_PACKED_BYTES = 160_000;
const MAX_UNPACKED_BYTES = 1_300_000;
/** Of the code that is loaded, without types. */
const MAX_CODE_BYTES = 120_000;

/** What every runtime has. `fetch` and `setTimeout` belong to the caller of the context. */
const WEB_GLOBALS = {
  fetch,
  Response,
  AbortController,
  URL,
  URLSearchParams,
  TextDecoder,
  crypto,
  setTimeout,
  clearTimeout,
};

describe('the package @annals/sdk', () => {
  let folder: string;
  let packed: PackedSdk;
  let installed: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-sdk-'));
    packed = packSdk(folder);
    installed = installSdk(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (file: string) => readFileSync(path.join(installed, file), 'utf8');
  const sources = (pattern: string) => globSync(pattern, { cwd: installed });

  it('has no dependencies', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest[kind]).toBeUndefined();
  });

  it('imports only its own files, in code and in types', () => {
    const files = sources('{dist,cjs}/**/*.{js,d.ts}');
    const imported = files.flatMap((file) =>
      [...read(file).matchAll(/(?:from |import\(|require\()['"]([^'"]+)['"]|<reference [^>]*/g)].map(
        ([whole, module]) => module ?? whole,
      ),
    );
    expect(imported.length).toBeGreaterThan(100);
    expect(imported.filter((module) => !module.startsWith('.'))).toEqual([]);
  });

  it('contains its build, its README and its license, and nothing else', () => {
    const other = packed.files.filter((file) => !/^(?:dist|cjs)\/.*\.(?:js|d\.ts)$/.test(file));
    expect(other.toSorted()).toEqual(['LICENSE', 'README.md', 'cjs/package.json', 'package.json']);
    expect(packed.files.filter((file) => /spec|fixture/.test(file))).toEqual([]);
  });

  it('is small', () => {
    expect(packed.bytes).toBeLessThan(MAX_PACKED_BYTES);
    expect(packed.unpackedBytes).toBeLessThan(MAX_UNPACKED_BYTES);
    const code = sources('dist/**/*.js').reduce((bytes, file) => bytes + Buffer.byteLength(read(file)), 0);
    expect(code).toBeLessThan(MAX_CODE_BYTES);
  });

  it('gives imports and requires code and types of their own kind', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(packed.tarball)));
    expect(analysis).toMatchObject({ types: { kind: 'included' } });
    expect('problems' in analysis && analysis.problems).toEqual([]);
    const { messages } = await publint({ pkgDir: installed, level: 'suggestion', strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it('runs where there are only web standards', async () => {
    const server = createServer((_request, response) => response.end('{ "status": "ok" }')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { Annals } = requireInContext(path.join(installed, 'cjs/index.js')) as typeof import('@annals/sdk');
      const { port } = server.address() as AddressInfo;
      const annals = new Annals({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'ann_1' });
      expect(await annals.health.live()).toEqual({ status: 'ok' });
      expect(await annals.memories.create({ user_id: 'u', content: 'c', category: 'profile' })).toEqual({
        status: 'ok',
      });
    } finally {
      server.close();
    }
  });
});

/** Runs a CommonJS module and what it requires in a realm that has nothing of Node. */
function requireInContext(entry: string): unknown {
  const context = createContext({ ...WEB_GLOBALS });
  const loaded = new Map<string, { exports: object }>();
  const load = (file: string): object => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const run = runInContext(`(function (module, exports, require) {${readFileSync(file, 'utf8')}\n})`, context, {
      filename: file,
    }) as (module: object, exports: object, require: (request: string) => object) => void;
    run(module, module.exports, (request) => load(path.resolve(path.dirname(file), request)));
    return module.exports;
  };
  return load(entry);
}
