import { defineFragment } from '../fragment.js';
import { flag, integer, optional, pattern, required, secretText, singleLine, url, withDefault } from '../variable.js';

const postgresUrl = url('a `postgres://` URL', ['postgres:', 'postgresql:']);
const apiKey = secretText(24);
const CHANGED_KEY =
  'When it changes, messages that are sent again under an existing id conflict (409), and earlier receipts and signed heads fail verification.';

export const embedded = defineFragment({
  title: 'Embedded profile (one process)',
  variables: {
    ANNALS_DATA_DIR: withDefault(singleLine('the path of a folder'), './.annals', {
      description:
        'Folder of the embedded database, the first API key and the secret key. Only one process may use it at a time.',
    }),
    ANNALS_BOOTSTRAP_KEY: optional(apiKey, 'a random key, printed once and stored in the data folder', {
      description:
        'API key of the tenant `default`, with all scopes. Activated at every start, even after it was revoked.',
      secret: true,
    }),
    ANNALS_SECRET_KEY: optional(secretText(32), 'generated at the first start and stored in the data folder', {
      description: `Key of all HMACs and signatures. ${CHANGED_KEY}`,
      secret: true,
    }),
  },
  build: (values) => ({
    dataDir: values.ANNALS_DATA_DIR,
    bootstrapKey: values.ANNALS_BOOTSTRAP_KEY,
    secretKey: values.ANNALS_SECRET_KEY,
  }),
});

export const secrets = defineFragment({
  title: 'Secrets (distributed profile)',
  variables: {
    ANNALS_SECRET_KEY: required(secretText(32), {
      description: `Key of all HMACs and signatures, the same in every process. ${CHANGED_KEY}`,
      secret: true,
    }),
  },
  build: (values) => ({ secretKey: values.ANNALS_SECRET_KEY }),
});

export const database = defineFragment({
  title: 'Database (distributed profile)',
  variables: {
    ANNALS_DATABASE_URL: required(postgresUrl, {
      description: 'URL of PostgreSQL with pgvector, with the role `annals_app`, to which row-level security applies.',
      secret: true,
    }),
    ANNALS_DB_POOL_SIZE: withDefault(integer(1, 500), '16', {
      description: 'Maximum number of database connections of one process.',
      unit: 'connections',
    }),
    ANNALS_DB_PREPARED: withDefault(flag(), 'true', {
      description:
        'Whether frequent statements are prepared once per connection. Set `false` behind a connection pooler in transaction mode.',
    }),
  },
  build: (values) => ({
    url: values.ANNALS_DATABASE_URL,
    poolSize: values.ANNALS_DB_POOL_SIZE,
    prepared: values.ANNALS_DB_PREPARED,
  }),
});

export const migration = defineFragment({
  title: 'Migration (distributed profile)',
  variables: {
    ANNALS_ADMIN_DATABASE_URL: required(postgresUrl, {
      description:
        'URL of the same database, with a role that owns its tables and may create roles and extensions. Only the migration uses it.',
      secret: true,
    }),
    ANNALS_DB_APP_PASSWORD: optional(secretText(8), 'the role’s password is not changed', {
      description: 'Password that the migration sets for the role `annals_app`.',
      secret: true,
    }),
    ANNALS_OPERATOR_KEY: optional(apiKey, 'no operator key is created', {
      description:
        'API key with scope `operator`, created by the migration if it does not exist. Once revoked it stays revoked.',
      secret: true,
    }),
    ANNALS_BOOTSTRAP_KEY: optional(apiKey, 'no tenant is created', {
      description:
        'First API key of the tenant `default`, with all scopes of a tenant, created by the migration if it does not exist. Once revoked it stays revoked.',
      secret: true,
    }),
  },
  build: (values) => ({
    adminUrl: values.ANNALS_ADMIN_DATABASE_URL,
    appPassword: values.ANNALS_DB_APP_PASSWORD,
    operatorKey: values.ANNALS_OPERATOR_KEY,
    bootstrapKey: values.ANNALS_BOOTSTRAP_KEY,
  }),
});

export const redis = defineFragment({
  title: 'Redis (distributed profile)',
  variables: {
    ANNALS_REDIS_URL: required(url('a `redis://` or `rediss://` URL', ['redis:', 'rediss:']), {
      description: 'URL of Redis or Valkey, which carries the queues.',
      secret: true,
    }),
  },
  build: (values) => ({ url: values.ANNALS_REDIS_URL }),
});

export const queue = defineFragment({
  title: 'Queues',
  variables: {
    ANNALS_QUEUE_PREFIX: withDefault(
      pattern('lower-case letters, digits, `_` and `-`', /^[a-z][a-z0-9_-]{0,40}$/),
      'annals',
      {
        description:
          'Prefix of all keys of the queues. A change orphans waiting jobs until the sweep publishes them again.',
      },
    ),
  },
  build: (values) => ({ prefix: values.ANNALS_QUEUE_PREFIX }),
});
