import { listVariables } from '@annals/config';
import { CONSOLIDATION_WORKER_FRAGMENTS } from '@annals/consolidation-worker';
import { EXTRACTION_FRAGMENTS } from '@annals/extraction';
import { GATEWAY_FRAGMENTS } from '@annals/gateway';
import { PERSISTENCE_FRAGMENTS } from '@annals/persistence';
import { DISTRIBUTED_FRAGMENTS } from '@annals/runtime';
import { TOM_INSIGHT_FRAGMENTS } from '@annals/tom-insight';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Service {
  image: string;
  build?: { target: string };
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  networks: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: object;
}

/** What each service of ours reads when it starts, as its main module asks for it. */
const READ: Readonly<Record<string, readonly string[]>> = {
  migrate: listVariables(['migration']),
  gateway: listVariables([...DISTRIBUTED_FRAGMENTS, ...GATEWAY_FRAGMENTS]),
  extraction: listVariables([...DISTRIBUTED_FRAGMENTS, ...EXTRACTION_FRAGMENTS]),
  persistence: listVariables([...DISTRIBUTED_FRAGMENTS, ...PERSISTENCE_FRAGMENTS]),
  'tom-insight': listVariables([...DISTRIBUTED_FRAGMENTS, ...TOM_INSIGHT_FRAGMENTS]),
  'consolidation-worker': listVariables([...DISTRIBUTED_FRAGMENTS, ...CONSOLIDATION_WORKER_FRAGMENTS]),
};

/** What compose passes to no service, and why. All of it can be set in `docker-compose.override.yml`. */
const NOT_PASSED = [
  // The images say where a service listens.
  'ANNALS_HTTP_HOST',
  'ANNALS_HTTP_PORT',
  'ANNALS_HEALTH_PORT',
  // `stop_grace_period` is made to fit the default.
  'ANNALS_SHUTDOWN_TIMEOUT_MS',
  // Files and folders, which have to be mounted as well.
  'ANNALS_CATEGORIES_FILE',
  'MEMORY_LLM_PRICING_CATALOG',
  'ANNALS_EMBEDDINGS_MODEL_DIR',
  'ANNALS_EMBEDDINGS_RUNTIME_DIR',
  'ANNALS_EMBEDDINGS_POOLING',
  'ANNALS_RERANK_MODEL_DIR',
  'ANNALS_RERANK_RUNTIME_DIR',
  // OpenTelemetry's own defaults are right wherever there is a collector.
  'OTEL_TRACES_EXPORTER',
  'OTEL_SERVICE_NAME',
  // For other databases than the one of this file.
  'ANNALS_DB_POOL_SIZE',
  'ANNALS_DB_PREPARED',
  'ANNALS_QUEUE_PREFIX',
  // Tuned by measurements, not filled in before the first start.
  'ANNALS_DOCS',
  'ANNALS_QUEUE_UI',
  'ANNALS_RATE_LIMIT_PER_MINUTE',
  'ANNALS_RATE_LIMIT_BYTES_PER_MINUTE',
  'ANNALS_BATCH_WINDOW_MS',
  'ANNALS_BATCH_MAX_MESSAGES',
  'ANNALS_RELEASE_PER_TENANT',
  'ANNALS_SWEEP_INTERVAL_MS',
  'ANNALS_SWEEP_AFTER_MS',
  'ANNALS_LEASE_MS',
  'ANNALS_EXTRACTION_CONCURRENCY',
  'ANNALS_PERSISTENCE_CONCURRENCY',
  'ANNALS_RETENTION_INTERVAL_MS',
  'ANNALS_ACCESS_FLUSH_MS',
  'ANNALS_RECALL_RECENCY_WEIGHT',
  'ANNALS_RECALL_RECENCY_DAYS',
  'ANNALS_RECALL_IMPORTANCE_WEIGHT',
  'ANNALS_RECALL_RELATION_WEIGHT',
  'ANNALS_RECALL_INSIGHT_FACTOR',
  'ANNALS_RECALL_QUESTION_FACTOR',
  'ANNALS_RECALL_SUPERSEDED_FACTOR',
  'ANNALS_RECALL_MMR_LAMBDA',
  'ANNALS_RECALL_TURN_TOKENS',
  'MEMORY_LLM_MAX_OUTPUT_TOKENS',
  'MEMORY_LLM_STREAMING',
  'MEMORY_LLM_SALIENCE_TOP_K',
  'MEMORY_LLM_SALIENCE_MAX_TOKENS',
  'MEMORY_LLM_MULTI_FACT_MIN_CHARS',
  'MEMORY_LLM_MULTI_FACT_DAILY_CALLS',
  'ANNALS_PROCEDURE_AGENTS',
  'MEMORY_LLM_PROCEDURE_DAILY_CALLS',
  'MEMORY_LLM_CIRCUIT_PROBES',
  'MEMORY_LLM_CIRCUIT_COOLDOWN_MS',
  'MEMORY_LLM_CIRCUIT_ERROR_THRESHOLD',
  'MEMORY_LLM_CIRCUIT_WINDOW_SIZE',
  'MEMORY_LLM_CIRCUIT_WINDOW_MS',
];

const root = path.resolve(import.meta.dirname, '../..');
const composeText = readRootFile('docker-compose.yml');
const { services } = parse(composeText, { merge: true }) as { services: Record<string, Service> };
const dockerfile = readRootFile('Dockerfile');
const own = Object.entries(services).filter(([, service]) => service.build);
const placeholders = [...composeText.matchAll(/\$\{(\w+)(:[?-])?([^}]*)\}/g)].map((match) => ({
  name: match[1] ?? '',
  operator: match[2],
  rest: match[3],
}));

describe('docker-compose.yml', () => {
  it('starts the services only after the migration, and the migration only on a ready database', () => {
    for (const name of ['gateway', 'extraction', 'persistence', 'tom-insight', 'consolidation-worker']) {
      expect(services[name]?.depends_on).toEqual({
        migrate: { condition: 'service_completed_successfully' },
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
      });
    }
    expect(services['migrate']?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(services['postgres']?.healthcheck).toBeDefined();
    expect(services['redis']?.healthcheck).toBeDefined();
  });

  it('builds one target of the Dockerfile for each service of ours', () => {
    const targets = [...dockerfile.matchAll(/^FROM runtime AS ([\w-]+)$/gm)].map((match) => match[1]);
    expect(own.map(([name, service]) => [name, service.build?.target])).toEqual(own.map(([name]) => [name, name]));
    expect(new Set(own.map(([name]) => name))).toEqual(new Set(targets));
  });

  it('hardens every container', () => {
    for (const [name, service] of Object.entries(services)) {
      expect({ name, ...pick(service) }).toEqual({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  it('publishes the gateway alone', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['gateway']);
  });

  it('gives only the migration the rights of the database owner', () => {
    const owners = Object.keys(services).filter((name) => 'ANNALS_ADMIN_DATABASE_URL' in services[name]!.environment);
    expect(owners).toEqual(['migrate']);
  });

  it('gives keys of models only to those who ask them', () => {
    const holders = Object.keys(services).filter((name) => 'MEMORY_LLM_CLAUDE_API_KEY' in services[name]!.environment);
    expect(holders).toEqual(['extraction', 'persistence', 'tom-insight', 'consolidation-worker']);
    const rerankers = Object.keys(services).filter((name) => 'ANNALS_RERANK_API_KEY' in services[name]!.environment);
    expect(rerankers).toEqual(['gateway']);
  });

  it('sets only variables that the configuration knows', () => {
    // Generated from libs/config and held to it by a spec there.
    const known = [...readRootFile('docs/configuration.md').matchAll(/^- `(\w+)`:/gm)].map((match) => match[1]);
    const used = own.flatMap(([, service]) => Object.keys(service.environment));
    expect(used.filter((name) => /^(?:ANNALS|MEMORY_LLM)_/.test(name) && !known.includes(name))).toEqual([]);
  });

  it.each(Object.entries(READ))('passes %s all that it reads, but for what is left out on purpose', (name, read) => {
    const passed = Object.keys(services[name]!.environment);
    expect(read.filter((variable) => !passed.includes(variable) && !NOT_PASSED.includes(variable))).toEqual([]);
  });

  it('leaves out on purpose only what a service reads and none is passed', () => {
    const read = Object.values(READ).flat();
    const passed = own.flatMap(([, service]) => Object.keys(service.environment));
    expect(NOT_PASSED.filter((variable) => !read.includes(variable) || passed.includes(variable))).toEqual([]);
    expect(Object.keys(READ).toSorted()).toEqual(own.map(([name]) => name).toSorted());
  });

  it('refuses to start without its secrets, and has a value for none', () => {
    const secrets = placeholders.filter(({ name }) => /PASSWORD|KEY/.test(name));
    expect(secrets.map(({ name }) => name)).toEqual(expect.arrayContaining(['ANNALS_SECRET_KEY', 'POSTGRES_PASSWORD']));
    const optional = [
      'ANNALS_OPERATOR_KEY',
      'ANNALS_PSEUDONYM_KEY',
      'ANNALS_EMBEDDINGS_API_KEY',
      'ANNALS_RERANK_API_KEY',
      'MEMORY_LLM_CLAUDE_API_KEY',
      'MEMORY_LLM_OPENAI_API_KEY',
    ];
    for (const { name, operator, rest } of secrets) {
      if (optional.includes(name)) expect({ name, operator, rest }).toEqual({ name, operator: ':-', rest: '' });
      else expect({ name, operator, rest }).toEqual({ name, operator: ':?', rest: `set ${name} in .env` });
    }
  });

  it('has every value it asks for explained in .env.example', () => {
    const explained = [...readRootFile('.env.example').matchAll(/^(\w+)=/gm)].map((match) => match[1]);
    expect(new Set(explained)).toEqual(new Set(placeholders.map(({ name }) => name)));
  });
});

function pick({ read_only, cap_drop, security_opt }: Service): Partial<Service> {
  return { read_only, cap_drop, security_opt };
}

function readRootFile(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}
