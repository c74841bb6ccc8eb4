import { availableParallelism } from 'node:os';

/**
 * One run of specs.
 * @typedef {object} TestRun
 * @property {'embedded' | 'services'} profile the embedded database, or the servers of `npm run services`
 * @property {boolean} everything every spec that the profile can run, not only its lane's
 * @property {number} workers processes that run specs
 * @property {boolean} upgrade only the specs of an upgrade from the release before, which is built
 */

/** Kinds of specs, by the suffix of their file names (CONTRIBUTING.md), that each profile can run. */
const KINDS = {
  embedded: ['spec', 'int-spec', 'e2e-spec', 'embedded-spec'],
  services: [
    'int-spec',
    'e2e-spec',
    'fault-spec',
    'soak-spec',
    'onnx-spec',
    'prometheus-spec',
    'kubernetes-spec',
    'browser-spec',
  ],
};

/** Long proofs, which run in `npm run test:soak` or by their path (docs/decisions/0089-long-proofs-run-in-the-soak-lane.md). */
const SOAK_ONLY = 'soak-spec';

/**
 * Workers in addition to one a core: on the services, specs also wait for leases of killed processes, settling margins
 * and delays of retries, and nothing else would run in that time. With two, a fifth of the cores was idle.
 */
const WAITING_WORKERS = { embedded: 0, services: 3 };

/** Kinds that `npm test` runs completely. Integration and end-to-end specs run completely on the services only. */
const WHOLE_IN_EMBEDDED_LANE = ['spec', 'embedded-spec'];

/** One integration spec per capability for `npm test`, which has only the embedded database. */
export const EMBEDDED_INTEGRATION = {
  'the main path, from a post to a query': 'test/e2e/main-path.e2e-spec.ts',
  'current and past validity of memories': 'test/e2e/truth.e2e-spec.ts',
  'attacks on what is remembered and served': 'test/e2e/attacks.e2e-spec.ts',
  'isolation of tenants': 'test/e2e/isolation.e2e-spec.ts',
  'memory through MCP': 'test/e2e/mcp.e2e-spec.ts',
  'keys and scopes': 'apps/gateway/src/auth/auth.int-spec.ts',
  'posts and idempotency': 'apps/gateway/src/idempotency/idempotency.int-spec.ts',
  'batches and their progress': 'apps/gateway/src/batches/batches.int-spec.ts',
  'REST API of memories': 'apps/gateway/src/memories/memories.int-spec.ts',
  'global memories': 'apps/gateway/src/memories/global-memories.int-spec.ts',
  recall: 'apps/gateway/src/memory-query/memory-query.int-spec.ts',
  'summaries and eviction': 'apps/consolidation-worker/src/summaries/summaries.int-spec.ts',
  'chat completions with memory': 'apps/gateway/src/chat/said-once.int-spec.ts',
  checkpoints: 'apps/gateway/src/checkpoints/checkpoints.int-spec.ts',
  'items of LangGraph’s store': 'apps/gateway/src/langgraph-store/langgraph-store.int-spec.ts',
  'checkpoints of LangGraph': 'packages/langgraph/src/agent.e2e-spec.ts',
  'imports of records': 'apps/gateway/src/moving/record-import.int-spec.ts',
  'redaction and pseudonyms': 'apps/gateway/src/redaction/redaction.int-spec.ts',
  webhooks: 'test/e2e/webhooks.e2e-spec.ts',
  'files and history of the vault': 'libs/vault/src/projection/write-vault.int-spec.ts',
  'privacy: export and erasure': 'apps/gateway/src/privacy/privacy.int-spec.ts',
  'forgetting by words and by turn': 'apps/gateway/src/forgetting/forgetting.int-spec.ts',
  'budgets and usage': 'apps/gateway/src/spending/spending.int-spec.ts',
  extraction: 'apps/extraction/src/extraction/same-memories.int-spec.ts',
  persistence: 'apps/persistence/src/persistence/persistence.int-spec.ts',
  reconciliation: 'apps/persistence/src/persistence/reconcile/reconciliation.int-spec.ts',
  queues: 'libs/messaging/src/queue-backend/queue-backend.int-spec.ts',
  'runs of minds and their energy': 'libs/runtime/src/minds/mind-worker.int-spec.ts',
  'maintenance jobs': 'libs/runtime/src/maintenance/index-job.int-spec.ts',
  'model calls and their cost': 'libs/runtime/src/model-calls/exact-money.int-spec.ts',
  'row-level security': 'libs/storage/src/database/database.int-spec.ts',
  'audit history': 'libs/storage/src/audit/audit-proof.int-spec.ts',
  migrations: 'libs/storage/src/migrations/migrate.int-spec.ts',
  'vectors and lexical search': 'libs/storage/src/query/find-candidates.int-spec.ts',
  'the client and the examples of its README': 'test/sdk/readme.e2e-spec.ts',
  'the doctor': 'apps/doctor/src/verify/verify.int-spec.ts',
};

/**
 * Parses ANNALS_TEST_PROFILE, ANNALS_TEST_EVERYTHING and ANNALS_TEST_WORKERS.
 * @param {NodeJS.ProcessEnv} env
 * @returns {TestRun}
 */
export function readRun(env) {
  const profile = env.ANNALS_TEST_PROFILE ?? 'embedded';
  if (!Object.hasOwn(KINDS, profile))
    throw new Error(`ANNALS_TEST_PROFILE must be one of: ${Object.keys(KINDS).join(', ')}.`);
  return {
    profile,
    everything: env.ANNALS_TEST_EVERYTHING === 'true',
    upgrade: Boolean(env.ANNALS_PREVIOUS_RELEASE),
    workers: Number(env.ANNALS_TEST_WORKERS || availableParallelism() + WAITING_WORKERS[profile]),
  };
}

/**
 * Glob patterns of the specs of a run.
 * @param {TestRun} run
 */
export function specPatterns({ profile, everything, upgrade }) {
  if (upgrade) return [patternOf('upgrade-spec')];
  if (everything) return KINDS[profile].map(patternOf);
  if (profile === 'services') return KINDS.services.filter((kind) => kind !== SOAK_ONLY).map(patternOf);
  return [...WHOLE_IN_EMBEDDED_LANE.map(patternOf), ...Object.values(EMBEDDED_INTEGRATION)];
}

// Only folders with specs, which excludes the services' chroot and the embedded data folders.
function patternOf(kind) {
  return `{libs,packages,apps,test,scripts,tools,infra,bench}/**/*.${kind}.ts`;
}
