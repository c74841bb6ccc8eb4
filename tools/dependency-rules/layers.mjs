const BASE = ['libs/config', 'libs/observability'];
const SHARED = ['libs/contracts', 'libs/english', 'libs/domain', ...BASE];
const EVERY_LIB = [
  ...SHARED,
  'libs/llm-core',
  'libs/local-provider',
  'libs/storage',
  'libs/messaging',
  'libs/coordination',
  'libs/runtime',
];

/**
 * Direction of imports: (contracts, english) <- domain <- (coordination <- llm-core, storage, messaging) <- runtime <-
 * apps; local-provider is between llm-core and runtime.
 */
export const layers = [
  { name: 'config', path: 'libs/config', mayImport: [] },
  { name: 'observability', path: 'libs/observability', mayImport: [] },
  { name: 'contracts', path: 'libs/contracts', mayImport: [] },
  { name: 'english', path: 'libs/english', mayImport: [] },
  { name: 'domain', path: 'libs/domain', mayImport: ['libs/contracts', 'libs/english'] },
  { name: 'llm-core', path: 'libs/llm-core', mayImport: [...SHARED, 'libs/coordination'] },
  {
    name: 'local-provider',
    path: 'libs/local-provider',
    mayImport: ['libs/contracts', 'libs/english', 'libs/llm-core'],
  },
  { name: 'storage', path: 'libs/storage', mayImport: SHARED },
  { name: 'messaging', path: 'libs/messaging', mayImport: SHARED },
  { name: 'coordination', path: 'libs/coordination', mayImport: ['libs/contracts', 'libs/domain'] },
  { name: 'runtime', path: 'libs/runtime', mayImport: EVERY_LIB },
  { name: 'testing', path: 'libs/testing', mayImport: EVERY_LIB },
  { name: 'gateway', path: 'apps/gateway', mayImport: EVERY_LIB },
  { name: 'extraction', path: 'apps/extraction', mayImport: EVERY_LIB },
  { name: 'persistence', path: 'apps/persistence', mayImport: EVERY_LIB },
  { name: 'doctor', path: 'apps/doctor', mayImport: EVERY_LIB },
  {
    name: 'standalone',
    path: 'apps/standalone',
    mayImport: [...EVERY_LIB, 'apps/gateway', 'apps/extraction', 'apps/persistence'],
  },
];
