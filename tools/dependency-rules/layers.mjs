const BELOW_SERVICES = ['contracts', 'domain', 'config', 'observability'];
const BELOW_RUNTIME = [
  'contracts',
  'english',
  'config',
  'observability',
  'domain',
  'coordination',
  'llm-core',
  'local-provider',
  'state-delta',
  'storage',
  'messaging',
];
const EVERY_LIB = [...BELOW_RUNTIME, 'runtime'];

/**
 * The layers, from the lowest: which packages of this repository a package may import, by its folder. The only
 * statement of them: lint's rules and the table in docs/architecture.md are made from it.
 * @type {Record<string, string[]>}
 */
export const LAYERS = {
  'libs/contracts': [],
  'libs/english': [],
  'libs/config': [],
  'libs/observability': [],
  'packages/sdk': [],
  'packages/ai-sdk': ['sdk'],
  'packages/state-delta': [],
  'packages/cli': ['sdk'],
  'packages/langgraph': ['sdk', 'state-delta'],
  'libs/domain': ['contracts', 'english'],
  'libs/coordination': ['contracts', 'domain'],
  'libs/llm-core': [...BELOW_SERVICES, 'english', 'coordination'],
  'libs/local-provider': ['contracts', 'english', 'llm-core'],
  'libs/storage': [...BELOW_SERVICES, 'state-delta'],
  'libs/vault': ['domain', 'storage'],
  'libs/messaging': BELOW_SERVICES,
  'libs/runtime': BELOW_RUNTIME,
  'libs/testing': BELOW_RUNTIME,
  'apps/console': ['sdk'],
  'apps/gateway': [...EVERY_LIB, 'console'],
  'apps/extraction': EVERY_LIB,
  'apps/persistence': EVERY_LIB,
  'apps/tom-insight': EVERY_LIB,
  'apps/consolidation-worker': [...EVERY_LIB, 'vault'],
  'apps/doctor': [...EVERY_LIB, 'vault'],
  'apps/standalone': [...EVERY_LIB, 'gateway', 'extraction', 'persistence', 'tom-insight', 'consolidation-worker'],
};

/** Packages that may import a driver of PostgreSQL; the others have SQL run by libs/storage. */
export const SQL_DRIVERS = {
  typeorm: ['libs/storage', 'libs/testing'],
  pg: ['libs/storage', 'libs/messaging', 'libs/testing'],
};
