import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installSdk } from './install-sdk.js';
import { readExamples } from './readme-examples.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
/** As strict as a project can be without `noUncheckedIndexedAccess`, of which examples would be full. */
const STRICT = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false };
const NODE = { ...STRICT, module: 'nodenext', target: 'es2022', types: ['node'] };

// What an installed client gives to the compiler, in the kinds of projects that there are.
describe('the types of @annals/sdk', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-sdk-types-'));
    installSdk(folder);
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The errors of the compiler about these files. */
  function check(compilerOptions: object, files: Readonly<Record<string, string>>): string[] {
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
    const config = {
      compilerOptions: { typeRoots: [path.join(ROOT, 'node_modules/@types')], ...compilerOptions },
      files: Object.keys(files),
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout, status } = spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' });
    const errors = stdout.split('\n').filter((line) => /error TS/.test(line));
    if (errors.length === 0) expect(status).toBe(0);
    return errors;
  }

  it('accept the examples of the README', () => {
    const examples = readExamples().filter(({ file }) => file.endsWith('.ts'));
    expect(check(NODE, Object.fromEntries(examples.map(({ file, code }) => [file, code])))).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a CommonJS module of Node', NODE, 'required.cts'],
    [
      'a page without the types of Node',
      { ...STRICT, module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom'], types: [] },
      'page.ts',
    ],
  ])('are found by %s', (_what, options, file) => {
    const code = `import { Annals, NotFoundError, type Memory } from '@annals/sdk';
      const annals = new Annals({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'ann_1' });
      export const read = (id: string): Promise<Memory> => annals.memories.get(id);
      export const isMissing = (error: unknown): boolean => error instanceof NotFoundError && error.status === 404;`;
    expect(check(options, { [file]: code })).toEqual([]);
  });

  it('refuse what the API does not have', () => {
    const errors = check(NODE, {
      'wrong.ts': `import { Annals } from '@annals/sdk';
const annals = new Annals({ baseUrl: '', apiKey: '' });
await annals.conversations.create({ user_id: 'u' });
await annals.memories.list({ pinned: 'yes' }).page();
await annals.memories.get('id', { ifMatch: 1 });
await annals.memories.create({ user_id: 'u', content: 'c', category: 'x', importance: 'high' });
(await annals.memories.get('id')).text;
`,
    });
    expect(errors.map((error) => /wrong\.ts\((\d)/.exec(error)?.[1])).toEqual(['3', '4', '5', '6', '7']);
  });
});
