import { LAYERS, SQL_DRIVERS } from './layers.mjs';

const OWN_FILES = '^(libs|packages|apps)/[^/]+/src/';
const SPECS = '(\\.|-)spec\\.ts$|\\.(contract|fixture)\\.ts$|/(contract|fixtures)/';
const ENTRIES = '/src/(index|main|otel|migrate)\\.ts$|^libs/testing/src/run/';

/** Rules of imports between files and packages, for dependency-cruiser. */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'A cycle makes load order matter and files inseparable. Move what both need to a file of its own.',
      severity: 'error',
      from: {},
      // A cycle of types only does not exist after compilation.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'only-through-package-index',
      comment: 'Import another package by its name (@annals/x), never by a path into its folders.',
      severity: 'error',
      from: { path: '^([^/]+)/([^/]+)' },
      to: { path: '^(libs|packages|apps)/', pathNot: '^$1/$2/', dependencyTypesNot: ['aliased-tsconfig'] },
    },
    {
      name: 'only-declared-packages',
      comment:
        "Add the dependency to this package's own package.json: those of the root only are missing in the image.",
      severity: 'error',
      from: { path: OWN_FILES, pathNot: SPECS },
      // What is a peer is installed by whoever installs the package, and for its own specs.
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['npm-peer'],
        pathNot: '/@types/',
      },
    },
    {
      name: 'no-unresolvable',
      comment: 'This import cannot be resolved: correct its path, or add the dependency.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-test-code-in-production',
      comment: 'Specs and @annals/testing are for tests only.',
      severity: 'error',
      from: { path: OWN_FILES, pathNot: [SPECS, '^libs/testing/'] },
      to: { path: [SPECS, '^libs/testing/'] },
    },
    {
      name: 'no-orphan',
      comment: 'Nothing uses this file: delete it, or export it through the index of its package.',
      severity: 'error',
      from: { orphan: true, path: OWN_FILES, pathNot: [SPECS, ENTRIES] },
      to: {},
    },
    ...Object.entries(SQL_DRIVERS).map(sqlDriverRule),
    ...Object.entries(LAYERS).map(layerRule),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.spec.json' },
    doNotFollow: { path: '(^|/)(node_modules|dist)(/|$)' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

function layerRule([folder, mayImport]) {
  const name = folder.split('/')[1];
  return {
    name: `layer-${name}`,
    comment: `${name} may import ${mayImport.join(', ') || 'no package of this repository'} (docs/architecture.md#layers).`,
    severity: 'error',
    from: { path: `^${folder}/`, pathNot: SPECS },
    to: { path: '^(libs|packages|apps)/', pathNot: `^(libs|packages|apps)/(${[name, ...mayImport].join('|')})/` },
  };
}

function sqlDriverRule([driver, folders]) {
  return {
    name: `no-${driver}-outside-of-its-layers`,
    comment:
      'SQL runs through libs/storage, inside a tenant transaction ' +
      '(docs/reference/isolation.md#statements-only-inside-of-a-tenant-transaction).',
    severity: 'error',
    from: { path: OWN_FILES, pathNot: [SPECS, ...folders.map((folder) => `^${folder}/`)] },
    to: { path: `(^|/)node_modules/(@types/)?${driver}/` },
  };
}
