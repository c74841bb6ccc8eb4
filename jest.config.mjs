import { existsSync } from 'node:fs';
import { swcOptions } from './scripts/jest/swc-options.mjs';

/** Which specs run: `embedded` needs nothing but Node, `services` the two servers of `npm run services` and `npm run onnx`. */
const SPEC_KINDS = {
  embedded: ['spec', 'int-spec', 'e2e-spec', 'embedded-spec'],
  services: ['int-spec', 'e2e-spec', 'fault-spec', 'onnx-spec'],
};

const profile = process.env.ANNALS_TEST_PROFILE ?? 'embedded';
const kinds = SPEC_KINDS[profile];
if (!kinds) throw new Error(`ANNALS_TEST_PROFILE must be one of: ${Object.keys(SPEC_KINDS).join(', ')}.`);

// Only folders with specs are crawled: the services' chroot and the embedded data folders stay out of sight.
const roots = ['libs', 'apps', 'test', 'scripts', 'infra', 'bench'].filter((folder) => existsSync(folder));

export default {
  roots: roots.map((folder) => `<rootDir>/${folder}`),
  testMatch: kinds.map((kind) => `**/*.${kind}.ts`),
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  testEnvironment: 'node',
  // For tests and hooks alike; a process of Annals that starts or stops is waited for up to 90 s, and then it is told why.
  testTimeout: 120_000,
  // Most of their time, tests wait for what they have started or stopped.
  maxWorkers: '75%',
  resolver: './scripts/jest/resolver.mjs',
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions('commonjs')] },
  coverageProvider: 'v8',
  ...optionalHook('globalSetup', 'setup'),
  ...optionalHook('globalTeardown', 'teardown'),
};

function optionalHook(option, name) {
  if (!existsSync(`libs/testing/src/jest/global-${name}.ts`)) return {};
  return { [option]: `./scripts/jest/global-${name}.mjs` };
}
