/**
 * Files, exports and dependencies that nothing uses. With `--production`, specs and fixtures do not count as users:
 * what only tests use belongs into them. Exports of a package's index are its interface and always count as used.
 */
const isProduction = process.argv.includes('--production');
const SPECS = 'src/**/*spec.ts';

function definePackage(...entry) {
  const sources = ['src/**/*.ts!', '!src/**/*{spec,.contract,.fixture}.ts!', '!src/{contract,fixtures}/**!'];
  return { entry: [...entry.map((file) => `${file}!`), SPECS], project: sources };
}

export default {
  // A constant or function that its own file uses may be exported for a spec.
  ignoreExportsUsedInFile: isProduction,
  treatConfigHintsAsErrors: !isProduction,
  workspaces: {
    '.': {
      entry: [
        'scripts/{build,ci,commits,demo,lint,services,test}/*.mjs',
        'scripts/kubernetes/{run-checks,test-kubernetes}.mjs',
        'scripts/containers/{enter,run-checks,test-containers}.mjs',
        'bench/{run,chats/run,locomo/run,report/run}.ts',
        'test/sdk/hard-moments.mjs',
        'bench/processes/{chat-upstream,idle-minds,worker}.ts',
        '{test,scripts,infra,bench}/**/*spec.ts',
        'infra/docker/healthcheck.mjs',
      ],
      project: ['{scripts,test,infra,bench}/**/*.{ts,mjs}'],
      // Commands that scripts/ run, and packages that turbo builds first.
      ignoreDependencies: [
        'conventional-changelog-conventionalcommits',
        'oxlint',
        'oxlint-tsgolint',
        'turbo',
        // Of which a spec runs the program.
        '@modelcontextprotocol/conformance',
        'mcp-conformance-next',
      ],
      // A program of Linux.
      ignoreBinaries: ['unshare'],
      vitest: false,
    },
    'libs/config': definePackage('src/write-docs.ts'),
    'libs/contracts': definePackage('src/write-docs.ts'),
    'libs/observability': definePackage('src/write-docs.ts'),
    // TypeORM takes every class of this namespace as a table.
    'libs/storage': definePackage('src/cli/migrate.ts', 'src/entities/index.ts'),
    'libs/testing': {
      entry: [
        'src/database/embedded-server-thread.ts',
        'src/processes/end-with-parent.ts',
        'src/providers/models/fake-models.main.ts',
        'src/run/global-setup.ts',
        SPECS,
      ],
      project: ['src/**/*.ts'],
    },
    'libs/*': definePackage(),
    'apps/console': {
      entry: [SPECS],
      project: ['src/**/*.{ts,tsx}!', '!src/**/*spec.ts!'],
    },
    'apps/doctor': definePackage(),
    'apps/*': definePackage('src/main.ts'),
    'packages/*': definePackage(),
    'tools/sdk': {
      entry: ['src/write-files.ts!', SPECS],
      project: ['src/**/*.ts!', '!src/**/*spec.ts!'],
    },
    'tools/monitoring': {
      entry: ['src/write-files.ts!', 'src/**/*spec.ts'],
      project: ['src/**/*.ts!', '!src/**/*{spec,.fixture}.ts!'],
    },
    'tools/kubernetes': {
      entry: ['src/**/*spec.ts'],
      project: ['src/**/*.ts!', '!src/**/*{spec,.fixture}.ts!'],
      // Imported by the group of an object.
      ignoreDependencies: ['@kubernetes-models/.+'],
    },
    'tools/*': {
      entry: ['rules.mjs', 'write-docs.mjs', '*.spec.ts'],
      project: ['*.{ts,mjs}'],
      ignoreDependencies: ['dependency-cruiser'],
    },
  },
};
