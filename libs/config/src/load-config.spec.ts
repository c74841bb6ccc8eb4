import fc from 'fast-check';
import { ConfigError, type Environment, listVariables, loadConfig } from './load-config.js';
import { type FragmentName, FRAGMENTS } from './fragments.js';

const ALL_FRAGMENTS = Object.keys(FRAGMENTS) as FragmentName[];
const COMPLETE: Environment = {
  ANNALS_SECRET_KEY: 'k'.repeat(32),
  ANNALS_DATABASE_URL: 'postgres://annals_app:pw@db:5432/annals',
  ANNALS_ADMIN_DATABASE_URL: 'postgres://owner:pw@db:5432/annals',
  ANNALS_REDIS_URL: 'redis://redis:6379',
};

describe('loadConfig', () => {
  it('returns the documented defaults', () => {
    const config = loadConfig(ALL_FRAGMENTS, COMPLETE);
    expect(config.http).toEqual({ host: '127.0.0.1', port: 8080, docs: true, console: true, queueUi: true });
    expect(config.embedded.dataDir).toBe('./.annals');
    expect(config.database).toMatchObject({ poolSize: 16, prepared: true });
    expect(config.batching).toEqual({ windowMs: 1000, maxMessages: 50 });
    expect(config.relay).toEqual({ releasePerTenant: 64, sweepIntervalMs: 5000, sweepAfterMs: 10_000 });
    expect(config.workers).toMatchObject({ extractionConcurrency: 8, persistenceConcurrency: 8, leaseMs: 10_000 });
    expect(config.limits).toEqual({
      requestsPerMinute: 60_000,
      bytesPerMinute: 268_435_456,
      bodyBytes: 1_048_576,
      trustedProxies: [],
    });
    expect(config.embeddings).toEqual({ kind: 'hashed' });
    expect(config.llm.primary).toBe('local');
    expect(config.minds.nice).toBe(10);
    expect(config.redaction.defaultCountry).toBe('US');
    expect(config.logging.level).toBe('info');
    expect(config.lifecycle.shutdownTimeoutMs).toBe(25_000);
  });

  it('types each value by its variable', () => {
    const { http, embeddings } = loadConfig(['http', 'embeddings'], {});
    const port: number = http.port;
    // @ts-expect-error -- a hashed embedder has no model until its kind is known
    const model: unknown = embeddings.model;
    expect([port, model]).toEqual([8080, undefined]);
  });

  it('parses the given values', () => {
    const { http, database } = loadConfig(['http', 'database'], {
      ...COMPLETE,
      ANNALS_HTTP_PORT: '0',
      ANNALS_HTTP_HOST: '::',
      ANNALS_DB_PREPARED: 'false',
    });
    expect([http.port, http.host, database.prepared]).toEqual([0, '::', false]);
  });

  it('requires folder and dimensions of an embedding model inside the process', () => {
    const load = (rest: Record<string, string>) => loadConfig(['embeddings'], { ANNALS_EMBEDDINGS: 'onnx', ...rest });
    expect(() => load({})).toThrow(
      expect.objectContaining({
        problems: ['ANNALS_EMBEDDINGS_MODEL_DIR', 'ANNALS_EMBEDDINGS_DIMENSIONS'].map((variable) =>
          expect.objectContaining({ variable }),
        ),
      }),
    );
    const given = { ANNALS_EMBEDDINGS_MODEL_DIR: '/models/tiny', ANNALS_EMBEDDINGS_DIMENSIONS: '3' };
    expect(load(given).embeddings).toEqual({
      kind: 'onnx',
      modelFolder: '/models/tiny',
      runtimeFolder: '.onnx',
      dimensions: 3,
      pooling: 'mean',
    });
  });

  it('returns a frozen object', () => {
    const config = loadConfig(['http'], {});
    expect(Object.isFrozen(config) && Object.isFrozen(config.http)).toBe(true);
  });

  it('requires only the variables of the given fragments', () => {
    expect(() => loadConfig(['http', 'embedded', 'logging'], {})).not.toThrow();
  });

  it('reports all wrong and missing variables together', () => {
    expect(
      problemMessagesOf(['http', 'database', 'redis', 'secrets'], {
        ANNALS_HTTP_PORT: '80a',
        ANNALS_REDIS_URL: 'http://x',
      }),
    ).toEqual([
      'ANNALS_HTTP_PORT must be a whole number from 0 to 65535.',
      'ANNALS_DATABASE_URL is missing: set it to a `postgres://` or `postgresql://` URL of one host, with special characters in user and password percent-encoded (`#` as `%23`).',
      'ANNALS_REDIS_URL must be a `redis://` or `rediss://` URL of one host, with special characters in user and password percent-encoded (`#` as `%23`).',
      'ANNALS_SECRET_KEY is missing: set it to at least 32 printable characters without spaces.',
    ]);
  });

  it('reports a variable once when two fragments need it', () => {
    expect(problemMessagesOf(['embedded', 'migration'], { ...COMPLETE, ANNALS_BOOTSTRAP_KEY: 'short' })).toEqual([
      'ANNALS_BOOTSTRAP_KEY must be at least 24 printable characters without spaces.',
    ]);
  });

  it('accepts only IP addresses and CIDR ranges as trusted proxies', () => {
    const parse = (text: string) => loadConfig(['limits'], { ANNALS_TRUSTED_PROXIES: text }).limits.trustedProxies;
    expect(parse('10.0.0.0/8, fd00::1,127.0.0.1')).toEqual(['10.0.0.0/8', 'fd00::1', '127.0.0.1']);
    for (const wrong of ['proxy', '10.0.0.0/33', 'fd00::/129', '10.0.0.1/', '10.0.0.1/8/8', '10.0.0.1,', '10.0.0']) {
      expect(problemMessagesOf(['limits'], { ANNALS_TRUSTED_PROXIES: wrong })).toEqual([
        'ANNALS_TRUSTED_PROXIES must be IP addresses or ranges such as `10.0.0.0/8`, separated by commas.',
      ]);
    }
  });

  it('accepts host names and addresses without a port as hosts of MCP, in lower case', () => {
    const parse = (text: string) => loadConfig(['mcp'], { ANNALS_MCP_HOSTS: text }).mcp.hosts;
    expect(parse('Memory.Example.com, 10.0.0.7,[::1]')).toEqual(['memory.example.com', '10.0.0.7', '[::1]']);
    for (const wrong of ['https://a', 'a:8080', 'a/b', 'a b', 'a,', '::1', 'user@a', '*']) {
      expect(problemMessagesOf(['mcp'], { ANNALS_MCP_HOSTS: wrong })).toEqual([
        'ANNALS_MCP_HOSTS must be host names without port such as `memory.example.com`, separated by commas.',
      ]);
    }
  });

  it('accepts several URLs of authorization servers', () => {
    const parse = (text: string) =>
      loadConfig(['mcp'], { ANNALS_MCP_AUTHORIZATION_SERVERS: text }).mcp.authorizationServers;
    expect(parse('https://a.example, https://b.example/tenant')).toEqual([
      'https://a.example',
      'https://b.example/tenant',
    ]);
    expect(problemMessagesOf(['mcp'], { ANNALS_MCP_AUTHORIZATION_SERVERS: 'https://a.example,b.example' })).toEqual([
      'ANNALS_MCP_AUTHORIZATION_SERVERS must be URLs that begin with `https://` or `http://`, separated by commas.',
    ]);
  });

  it('accepts several keys, separated by spaces, and names none of a wrong list', () => {
    const [one, two] = ['a'.repeat(32), 'b,'.repeat(16)];
    const given = { ...COMPLETE, ANNALS_SECRET_KEY_ACCEPTED: ` ${one}  ${two} ` };
    expect(loadConfig(['secrets'], given).secrets.acceptedKeys).toEqual([one, two]);
    expect(problemMessagesOf(['secrets'], { ...COMPLETE, ANNALS_SECRET_KEY_ACCEPTED: `${one} short` })).toEqual([
      'ANNALS_SECRET_KEY_ACCEPTED must be one or more keys of at least 32 printable characters without spaces, separated by spaces.',
    ]);
  });

  it('treats an empty variable as missing', () => {
    expect(loadConfig(['http', 'embedded'], { ANNALS_HTTP_PORT: '', ANNALS_BOOTSTRAP_KEY: '' })).toMatchObject({
      http: { port: 8080 },
      embedded: { bootstrapKey: undefined },
    });
  });

  it.each([
    ['ANNALS_BATCH_MAX_MESSAGES', '50', '51'],
    ['ANNALS_BATCH_MAX_MESSAGES', '1', '0'],
    ['ANNALS_EMBEDDINGS_DIMENSIONS', '1984', '1985'],
    ['ANNALS_HTTP_PORT', '65535', '65536'],
    ['ANNALS_HTTP_PORT', '0', '-1'],
    ['ANNALS_HTTP_PORT', '8080', '8080.5'],
    ['ANNALS_BATCH_WINDOW_MS', '0', '1e3'],
    ['ANNALS_REDACTION_DEFAULT_COUNTRY', 'DE', 'de'],
    ['ANNALS_DB_PREPARED', 'true', 'yes'],
    ['ANNALS_LOG_LEVEL', 'debug', 'trace'],
  ])('accepts %s=%s and rejects %s', (variable, good, bad) => {
    expect(() => loadConfig(ALL_FRAGMENTS, { ...COMPLETE, [variable]: good })).not.toThrow();
    expect(problemsOf(ALL_FRAGMENTS, { ...COMPLETE, [variable]: bad })).toEqual([variable]);
  });

  it('requires the variables of OpenAI embeddings only when these are enabled', () => {
    expect(problemsOf(['embeddings'], { ANNALS_EMBEDDINGS: 'openai' })).toEqual([
      'ANNALS_EMBEDDINGS_BASE_URL',
      'ANNALS_EMBEDDINGS_API_KEY',
      'ANNALS_EMBEDDINGS_MODEL',
      'ANNALS_EMBEDDINGS_DIMENSIONS',
    ]);
    const { embeddings } = loadConfig(['embeddings'], {
      ANNALS_EMBEDDINGS: 'openai',
      ANNALS_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:9/v1',
      ANNALS_EMBEDDINGS_API_KEY: 'key',
      ANNALS_EMBEDDINGS_MODEL: 'text-embedding-3-small',
      ANNALS_EMBEDDINGS_DIMENSIONS: '1536',
    });
    expect(embeddings).toEqual({
      kind: 'openai',
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: 'key',
      model: 'text-embedding-3-small',
      dimensions: 1536,
    });
  });

  it('never includes a value in an error message', () => {
    const names = [...new Set(ALL_FRAGMENTS.flatMap((name) => listVariables([name])))];
    const secret = fc.string({ minLength: 6 }).map((text) => `«${text}»`);
    fc.assert(
      fc.property(fc.constantFrom(...names), secret, (variable, value) => {
        const message = messageOf(ALL_FRAGMENTS, { ...COMPLETE, [variable]: value });
        return message === undefined || !message.includes(value);
      }),
    );
    expect(messageOf(ALL_FRAGMENTS, { ...COMPLETE, ANNALS_SECRET_KEY: '«short»' })).toMatch(/^ANNALS_SECRET_KEY must/);
  });
});

function errorOf(names: readonly FragmentName[], env: Environment): ConfigError | undefined {
  try {
    loadConfig(names, env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function messageOf(names: readonly FragmentName[], env: Environment): string | undefined {
  return errorOf(names, env)?.message;
}

function problemsOf(names: readonly FragmentName[], env: Environment): string[] | undefined {
  return errorOf(names, env)?.problems.map(({ variable }) => variable);
}

function problemMessagesOf(names: readonly FragmentName[], env: Environment): string[] | undefined {
  return errorOf(names, env)?.problems.map(({ message }) => message);
}
