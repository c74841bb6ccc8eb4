const BASE = ['libs/config', 'libs/observability'];
const SHARED = ['libs/contracts', 'libs/domain', ...BASE];
const EVERY_LIB = [...SHARED, 'libs/llm-core', 'libs/storage', 'libs/messaging', 'libs/coordination', 'libs/runtime'];

/**
 * Direction of imports: contracts <- domain <- (coordination <- llm-core, storage, messaging) <- runtime <- apps.
 */
export const layers = [
  { name: 'config', path: 'libs/config', mayImport: [] },
  { name: 'observability', path: 'libs/observability', mayImport: [] },
  { name: 'contracts', path: 'libs/contracts', mayImport: [] },
  { name: 'domain', path: 'libs/domain', mayImport: ['libs/contracts'] },
  { name: 'llm-core', path: 'libs/llm-core', mayImport: [...SHARED, 'libs/coordination'] },
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
