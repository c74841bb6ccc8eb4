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
    for (const name of ['gateway', 'extraction', 'persistence']) {
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
    const targets = [...dockerfile.matchAll(/^FROM runtime AS (\w+)$/gm)].map((match) => match[1]);
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

  it('gives keys of language models only to those who ask them', () => {
    const holders = Object.keys(services).filter((name) => 'MEMORY_LLM_CLAUDE_API_KEY' in services[name]!.environment);
    expect(holders).toEqual(['extraction', 'persistence']);
  });

  it('sets only variables that the configuration knows', () => {
    // Generated from libs/config and held to it by a spec there.
    const known = [...readRootFile('docs/configuration.md').matchAll(/^- `(\w+)`:/gm)].map((match) => match[1]);
    const used = own.flatMap(([, service]) => Object.keys(service.environment));
    expect(used.filter((name) => /^(?:ANNALS|MEMORY_LLM)_/.test(name) && !known.includes(name))).toEqual([]);
  });

  it('refuses to start without its secrets, and has a value for none', () => {
    const secrets = placeholders.filter(({ name }) => /PASSWORD|KEY/.test(name));
    expect(secrets.map(({ name }) => name)).toEqual(expect.arrayContaining(['ANNALS_SECRET_KEY', 'POSTGRES_PASSWORD']));
    const optional = [
      'ANNALS_OPERATOR_KEY',
      'ANNALS_EMBEDDINGS_API_KEY',
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
