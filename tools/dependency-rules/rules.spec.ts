import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LAYERS_DOC, updateLayers } from './docs.mjs';
import { LAYERS, SQL_DRIVERS } from './layers.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CLI = path.join(import.meta.dirname, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const FOLDERS = Object.keys(LAYERS);
const PACKAGES = FOLDERS.map((folder) => path.basename(folder));
const DRIVERS = Object.keys(SQL_DRIVERS);
const EVERYTHING = [...PACKAGES.map((name) => `@annals/${name}`), ...DRIVERS];

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

let workspace: string;
let violations: Violation[];

// A repository in which every package imports every other package and every driver, as lint would see it.
beforeAll(() => {
  const paths = { '@annals/*': ['libs', 'packages', 'apps'].map((kind) => `./${kind}/*/src/index.ts`) };
  workspace = mkdtempSync(path.join(tmpdir(), 'annals-imports-'));
  write('tsconfig.spec.json', JSON.stringify({ compilerOptions: { paths } }));
  for (const driver of DRIVERS) write(`node_modules/${driver}/index.js`, 'module.exports = {};');
  for (const folder of FOLDERS) {
    write(`${folder}/src/index.ts`, 'export {};');
    for (const file of ['all.ts', 'all.spec.ts', 'all.contract.ts', 'all.fixture.ts'])
      writeImports(`${folder}/src/${file}`, EVERYTHING);
  }
  writeImports('libs/domain/src/deep.ts', ['../../contracts/src/index.js']);
  writeImports('test/deep.spec.ts', ['../libs/domain/src/index.js', '@annals/domain']);
  writeImports('apps/gateway/src/ships.ts', ['./all.spec.js']);
  const sources = ['libs', 'packages', 'apps', 'test'];
  const args = ['--config', path.join(import.meta.dirname, 'rules.mjs'), '--output-type=json', ...sources];
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: workspace,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  expect(stderr).toBe('');
  violations = JSON.parse(stdout).summary.violations;
});

afterAll(() => rmSync(workspace, { recursive: true, force: true }));

describe('layers', () => {
  it.each(Object.entries(LAYERS))('%s imports the packages of its row and no other', (folder, mayImport) => {
    const name = path.basename(folder);
    const refused = refusals(`layer-${name}`, `${folder}/src/all.ts`).map((to) => to.split('/')[1]);
    expect(new Set(refused)).toEqual(new Set(PACKAGES.filter((other) => other !== name && !mayImport.includes(other))));
  });

  it('name every package of the repository, and import only packages of earlier rows', () => {
    const folders = ['libs', 'packages', 'apps'].flatMap((parent) =>
      readdirSync(path.join(ROOT, parent)).map((name) => `${parent}/${name}`),
    );
    const packages = folders.filter((folder) => existsSync(path.join(ROOT, folder, 'package.json')));
    expect(new Set(FOLDERS)).toEqual(new Set(packages));
    Object.values(LAYERS).forEach((mayImport, row) => {
      expect(mayImport.filter((name) => !PACKAGES.slice(0, row).includes(name))).toEqual([]);
    });
  });

  it('are in docs/architecture.md as they are (if not, run npm run docs)', () => {
    const page = readFileSync(path.join(ROOT, LAYERS_DOC), 'utf8');
    expect(page).toContain('| `libs/domain`');
    expect(updateLayers(page)).toBe(page);
  });
});

describe('rules of imports', () => {
  it.each(Object.entries(SQL_DRIVERS))('%s is for its packages', (driver, allowed) => {
    const users = FOLDERS.filter(
      (folder) => refusals(`no-${driver}-outside-of-its-layers`, `${folder}/src/all.ts`).length === 0,
    );
    expect(new Set(users)).toEqual(new Set(allowed));
  });

  it('code of services imports neither @annals/testing nor specs', () => {
    const rule = 'no-test-code-in-production';
    expect(refusals(rule, 'apps/gateway/src/all.ts')).toEqual(['libs/testing/src/index.ts']);
    expect(refusals(rule, 'apps/gateway/src/ships.ts')).toEqual(['apps/gateway/src/all.spec.ts']);
  });

  it.each(['libs/domain/src/deep.ts', 'test/deep.spec.ts'])('%s imports no path into a package', (file) => {
    expect(refusals('only-through-package-index', file)).toHaveLength(1);
  });

  it.each(['all.spec.ts', 'all.contract.ts', 'all.fixture.ts'])('%s imports what it needs', (file) => {
    const refused = violations.filter(({ from, rule }) => from.endsWith(`/${file}`) && rule.name !== 'no-cycle');
    expect(refused).toEqual([]);
  });
});

/** The files that the rule refuses in the imports of a file. */
function refusals(rule: string, file: string): string[] {
  return violations.filter(({ from, rule: broken }) => from === file && broken.name === rule).map(({ to }) => to);
}

function writeImports(file: string, modules: string[]): void {
  write(file, modules.map((module) => `import '${module}';\n`).join(''));
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(workspace, file)), { recursive: true });
  writeFileSync(path.join(workspace, file), text);
}
