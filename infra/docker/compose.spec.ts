import { listVariables } from '@annals/config';
import { CONSOLIDATION_WORKER_FRAGMENTS } from '@annals/consolidation-worker';
import { EXTRACTION_FRAGMENTS } from '@annals/extraction';
import { GATEWAY_FRAGMENTS } from '@annals/gateway';
import { PERSISTENCE_FRAGMENTS } from '@annals/persistence';
import { DISTRIBUTED_FRAGMENTS } from '@annals/runtime';
import { TOM_INSIGHT_FRAGMENTS } from '@annals/tom-insight';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Service {
  image: string;
  build?: { target: string; secrets?: string[]; args?: Record<string, string> };
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  networks: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  profiles?: string[];
  command?: string[];
  entrypoint?: string[];
  init?: boolean;
  tmpfs?: string[];
  volumes?: string[];
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
  // The image has it where it is looked for.
  'ANNALS_VAULT_GIT_SEARCH_PATH',
  // OpenTelemetry's own defaults are right wherever there is a collector.
  'OTEL_TRACES_EXPORTER',
  'OTEL_SERVICE_NAME',
  // For other databases than the one of this file.
  'ANNALS_DB_POOL_SIZE',
  'ANNALS_DB_PREPARED',
  'ANNALS_DB_ACQUIRE_TIMEOUT_MS',
  'ANNALS_DB_RECALL_TIMEOUT_MS',
  'ANNALS_DB_REQUEST_TIMEOUT_MS',
  'ANNALS_DB_WORK_TIMEOUT_MS',
  'ANNALS_DB_BULK_TIMEOUT_MS',
  'ANNALS_DB_LOCK_TIMEOUT_MS',
  'ANNALS_QUEUE_PREFIX',
  // Tuned by measurements, not filled in before the first start.
  'ANNALS_CONSOLE',
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
  'ANNALS_WEBHOOKS_TIMEOUT_MS',
  'ANNALS_WEBHOOKS_CONCURRENCY',
  'ANNALS_WEBHOOKS_PER_WEBHOOK',
  'ANNALS_WEBHOOKS_POLL_MS',
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
  });

  it('publishes the gateway and Grafana alone, on the loopback', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['gateway', '${ANNALS_PUBLISH:-127.0.0.1:8080}:8080'],
      ['grafana', '${ANNALS_GRAFANA_PUBLISH:-127.0.0.1:3000}:3000'],
    ]);
  });

  it('runs monitoring only when its profile is chosen', () => {
    const chosen = Object.keys(services).filter((name) => services[name]?.profiles);
    expect(chosen).toEqual(['prometheus', 'grafana', 'otel-collector']);
    for (const name of chosen) expect(services[name]?.profiles).toEqual(['monitoring']);
  });

  it('asks every container for its health, but for those that cannot answer', () => {
    const silent = Object.keys(services).filter((name) => services[name]?.healthcheck?.disable);
    // The migration ends, and the image of the collector has nothing that could ask.
    expect(silent).toEqual(['migrate', 'otel-collector']);
    for (const [name, { healthcheck, build }] of Object.entries(services)) {
      if (silent.includes(name)) continue;
      expect({ name, test: healthcheck?.test?.[0] }).toEqual({ name, test: expect.stringMatching(/^CMD(?:-SHELL)?$/) });
      if (build) expect(healthcheck?.test).toEqual(['CMD', 'node', '/app/healthcheck.mjs']);
    }
  });

  it('runs nothing beside the main process of a container', () => {
    expect(Object.keys(services).filter((name) => services[name]?.init)).toEqual([]);
  });

  it('has no secret in the command line of a container or of its health check', () => {
    for (const [name, { command = [], entrypoint = [], healthcheck }] of Object.entries(services)) {
      const line = [...entrypoint, ...command, ...(healthcheck?.test ?? [])].join(' ');
      // A single dollar is filled in by compose; a doubled one is a variable of the shell in the container.
      const filledIn = [...line.matchAll(/(?<!\$)\$\{(\w+)/g)].map((match) => match[1]);
      expect({ name, filledIn }).toEqual({ name, filledIn: [] });
    }
    // As an argument of a program, the shell's variable would be visible as well: it is a here-document's, or printf's.
    const [, , script] = services['redis']?.command ?? [];
    expect(script).toMatch(
      /^exec docker-entrypoint\.sh valkey-server - [^$]*<<SETTINGS\nrequirepass "\$\$REDISCLI_AUTH"\nSETTINGS\n$/,
    );
    expect(services['prometheus']?.command?.[0]).toMatch(
      /^printf '%s' "\$\$ANNALS_METRICS_TOKEN" > \S+\nexec prometheus [^$]*"\$\$RETENTION"\n$/,
    );
  });

  it('mounts a volume for the vault where only what writes it runs, in a folder that the image gives to its user', () => {
    const mounting = Object.keys(services).filter((name) => services[name]?.volumes?.join(' ').includes('vault'));
    const writing = Object.keys(services).filter((name) => services[name]?.environment?.['ANNALS_VAULT_PATH']);
    expect([mounting, writing]).toEqual([['consolidation-worker'], ['consolidation-worker']]);
    const [, folder] = services['consolidation-worker']!.volumes![0]!.split(/(?<=\}):/);
    expect(dockerfile).toContain(`COPY --from=git --chown=1000:1000 /vault ${folder}/\n`);
    expect(readRootFile('.env.example')).toContain(`${folder} writes it`);
  });

  it('names a version of every image', () => {
    for (const [name, { image }] of Object.entries(services)) {
      const version = image.replace(/^[^:]*:(?:\$\{ANNALS_VERSION:-)?/, '');
      expect({ name, version }).toEqual({ name, version: expect.stringMatching(/^v?\d+\.\d/) });
    }
  });

  it('builds images with the version of package.json and the certificates of a private authority', () => {
    const { version } = JSON.parse(readRootFile('package.json')) as { version: string };
    for (const [, { build, image }] of own) {
      expect(build?.args?.['VERSION']).toBe(`\${ANNALS_VERSION:-${version}}`);
      expect(image).toMatch(new RegExp(`:\\$\\{ANNALS_VERSION:-${version}\\}$`));
      expect(build?.secrets).toEqual(['ca']);
    }
    expect(readRootFile('infra/docker/no-ca.pem')).toBe('');
  });

  it('mounts only files that are there, read-only', () => {
    const mounts = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter((volume) => volume.startsWith('.')),
    );
    for (const mount of mounts) {
      const [folder, , mode] = mount.split(':');
      expect({ mount, exists: existsSync(path.join(root, folder!)), mode }).toEqual({
        mount,
        exists: true,
        mode: 'ro',
      });
    }
    expect(mounts).toHaveLength(4);
  });

  it('lets no container of Grafana or the collector reach the databases', () => {
    for (const name of ['prometheus', 'grafana', 'otel-collector'])
      expect(services[name]?.networks).not.toContain('data');
  });

  it('starts no Grafana with the password that everyone knows', () => {
    expect(services['grafana']?.command?.[0]).toMatch(
      /if \[ -z "\$\$GF_SECURITY_ADMIN_PASSWORD" \]; then .*exit 78; fi\nexec \/run\.sh\n/s,
    );
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
    const embedders = Object.keys(services).filter(
      (name) => 'ANNALS_EMBEDDINGS_API_KEY' in services[name]!.environment,
    );
    expect(embedders).toEqual(['gateway', 'persistence', 'consolidation-worker']);
    const readers = Object.keys(READ).filter((name) => READ[name]!.includes('ANNALS_EMBEDDINGS_API_KEY'));
    expect(embedders).toEqual(readers);
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
      'ANNALS_GRAFANA_PASSWORD',
      'ANNALS_SECRET_KEY_ACCEPTED',
      'ANNALS_CHAIN_KEY',
      'ANNALS_PSEUDONYM_KEY',
      'ANNALS_EMBEDDINGS_API_KEY',
      'ANNALS_RERANK_API_KEY',
      'ANNALS_CHAT_UPSTREAM_KEY',
      'ANNALS_CHAT_ANTHROPIC_KEY',
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
