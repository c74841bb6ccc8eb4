import { defineFragment } from '../fragment.js';
import {
  flag,
  integer,
  optional,
  pattern,
  required,
  secretText,
  secretTexts,
  serverUrl,
  singleLine,
  withDefault,
} from '../variable.js';

const postgresUrl = serverUrl(
  ['postgres:', 'postgresql:'],
  ({ hostname, searchParams }) => hostname !== '' || searchParams.has('host'),
);
const redisUrl = serverUrl(
  ['redis:', 'rediss:'],
  ({ hostname, pathname }) => hostname !== '' && /^(\/\d*)?$/.test(pathname),
);
const apiKey = secretText(24);
const CHANGED_KEY =
  'Change it in the steps of docs/day-two.md, Rotating the secret key: otherwise messages that are sent again under an existing id conflict (409), earlier receipts and signed heads fail verification, and writes for users who have a history are refused (503).';

const ACCEPTED_KEYS = {
  description:
    'Further secret keys that are accepted, and not used for anything new: the next one before a rotation, the former one after it.',
  secret: true,
} as const;

const CHAIN_KEY = {
  description:
    'Key of the pseudonyms and HMACs in the histories, instead of `ANNALS_SECRET_KEY`. Set it to the former secret key when you change that, and keep it as long as the data: a history cannot be written on with another key.',
  secret: true,
} as const;

const PSEUDONYM_KEY = {
  description:
    'Key of the placeholders of personal data, instead of `ANNALS_SECRET_KEY`. Set it to the former secret key when you change that, and keep it as long as the data: gateways refuse to redact with another key.',
  secret: true,
} as const;

export const embedded = defineFragment({
  title: 'Embedded profile (one process)',
  variables: {
    dataDir: withDefault('ANNALS_DATA_DIR', singleLine('the path of a folder'), './.annals', {
      description:
        'Folder of the embedded database, the first API key and the secret key. Only one process may use it at a time.',
    }),
    consoleLink: withDefault('ANNALS_CONSOLE_LINK', flag(), 'true', {
      description:
        'Whether each start prints a link that opens the console once, within an hour, with every right. Switch it off where others can read the output.',
    }),
    bootstrapKey: optional('ANNALS_BOOTSTRAP_KEY', apiKey, 'a random key, printed once and stored in the data folder', {
      description:
        'API key of the tenant `default`, with all scopes. Activated at every start, even after it was revoked.',
      secret: true,
    }),
    secretKey: optional(
      'ANNALS_SECRET_KEY',
      secretText(32),
      'generated at the first start and stored in the data folder',
      {
        description: `Key of all HMACs and signatures. ${CHANGED_KEY}`,
        secret: true,
      },
    ),
    acceptedKeys: optional('ANNALS_SECRET_KEY_ACCEPTED', secretTexts(32), 'only the secret key', ACCEPTED_KEYS),
    chainKey: optional('ANNALS_CHAIN_KEY', secretText(32), 'the secret key', CHAIN_KEY),
    pseudonymKey: optional('ANNALS_PSEUDONYM_KEY', secretText(32), 'the secret key', PSEUDONYM_KEY),
    deletionsFile: optional(
      'ANNALS_DELETIONS_FILE',
      singleLine('the path of a file'),
      '`deletions.ndjson` in the data folder',
      {
        description:
          'Where the list of deletions is appended, which a restored backup needs to forget again what was deleted after it. Name a file on another disk, so that it outlives the data folder. It contains no ids of users and no content.',
      },
    ),
  },
});

export const secrets = defineFragment({
  title: 'Secrets (distributed profile)',
  variables: {
    secretKey: required('ANNALS_SECRET_KEY', secretText(32), {
      description: `Key of all HMACs and signatures, the same in every process. ${CHANGED_KEY}`,
      secret: true,
    }),
    acceptedKeys: optional('ANNALS_SECRET_KEY_ACCEPTED', secretTexts(32), 'only `ANNALS_SECRET_KEY`', ACCEPTED_KEYS),
    chainKey: optional('ANNALS_CHAIN_KEY', secretText(32), '`ANNALS_SECRET_KEY`', CHAIN_KEY),
    pseudonymKey: optional('ANNALS_PSEUDONYM_KEY', secretText(32), '`ANNALS_SECRET_KEY`', PSEUDONYM_KEY),
  },
});

export const database = defineFragment({
  title: 'Database (distributed profile)',
  variables: {
    url: required('ANNALS_DATABASE_URL', postgresUrl, {
      description: 'URL of PostgreSQL with pgvector, with the role `annals_app`, to which row-level security applies.',
      secret: true,
    }),
    poolSize: withDefault('ANNALS_DB_POOL_SIZE', integer(1, 500), '16', {
      description: 'Maximum number of database connections of one process.',
      unit: 'connections',
    }),
    prepared: withDefault('ANNALS_DB_PREPARED', flag(), 'true', {
      description:
        'Whether frequent statements are prepared once per connection. Set `false` behind a connection pooler in transaction mode.',
    }),
    acquireTimeoutMs: withDefault('ANNALS_DB_ACQUIRE_TIMEOUT_MS', integer(100, 600_000), '10000', {
      description:
        'How long a request or a job waits for a connection. Then the request is answered with 503, and the job waits without using an attempt.',
      unit: 'ms',
    }),
    recallTimeoutMs: withDefault('ANNALS_DB_RECALL_TIMEOUT_MS', integer(100, 3_600_000), '5000', {
      description: 'Maximum time of one statement of `memory.query`; then the query is answered with 503.',
      unit: 'ms',
    }),
    requestTimeoutMs: withDefault('ANNALS_DB_REQUEST_TIMEOUT_MS', integer(100, 3_600_000), '15000', {
      description: 'Maximum time of one statement of any other request; then it is answered with 503.',
      unit: 'ms',
    }),
    workTimeoutMs: withDefault('ANNALS_DB_WORK_TIMEOUT_MS', integer(100, 3_600_000), '60000', {
      description: 'Maximum time of one statement of a worker’s job; then the job is tried again.',
      unit: 'ms',
    }),
    bulkTimeoutMs: withDefault('ANNALS_DB_BULK_TIMEOUT_MS', integer(100, 3_600_000), '300000', {
      description:
        'Maximum time of one statement that reads or writes all of a user or tenant: erasure, forgetting, deletion of a tenant, rebuilding an index, maintenance jobs.',
      unit: 'ms',
    }),
    lockTimeoutMs: withDefault('ANNALS_DB_LOCK_TIMEOUT_MS', integer(100, 3_600_000), '10000', {
      description:
        'How long a statement waits for a lock, such as that of the same user’s other writes. Then the request is answered with 503, and the job waits without using an attempt.',
      unit: 'ms',
    }),
  },
});

export const migration = defineFragment({
  title: 'Migration (distributed profile)',
  variables: {
    adminUrl: required('ANNALS_ADMIN_DATABASE_URL', postgresUrl, {
      description:
        'URL of the same database, with a role that owns its tables and may create roles and extensions. Only the migration uses it.',
      secret: true,
    }),
    appPassword: optional('ANNALS_DB_APP_PASSWORD', secretText(8), 'the role’s password is not changed', {
      description: 'Password that the migration sets for the role `annals_app`.',
      secret: true,
    }),
    operatorKey: optional('ANNALS_OPERATOR_KEY', apiKey, 'no operator key is created', {
      description:
        'API key with scope `operator`, created by the migration if it does not exist. Once revoked it stays revoked.',
      secret: true,
    }),
    bootstrapKey: optional('ANNALS_BOOTSTRAP_KEY', apiKey, 'no tenant is created', {
      description:
        'First API key of the tenant `default`, with all scopes of a tenant, created by the migration if it does not exist. Once revoked it stays revoked.',
      secret: true,
    }),
  },
});

export const redis = defineFragment({
  title: 'Redis (distributed profile)',
  variables: {
    url: required('ANNALS_REDIS_URL', redisUrl, {
      description: 'URL of Redis or Valkey, which carries the queues.',
      secret: true,
    }),
  },
});

export const queue = defineFragment({
  title: 'Queues',
  variables: {
    prefix: withDefault(
      'ANNALS_QUEUE_PREFIX',
      pattern('lower-case letters, digits, `_` and `-`', /^[a-z][a-z0-9_-]{0,40}$/),
      'annals',
      {
        description:
          'Prefix of all keys in Redis: of the queues, and of budgets, circuit breakers and rate limiters. A change orphans waiting jobs until the sweep publishes them again.',
      },
    ),
  },
});
