import { randomBytes } from 'node:crypto';

const SECRETS = [
  'POSTGRES_PASSWORD',
  'ANNALS_DB_APP_PASSWORD',
  'ANNALS_REDIS_PASSWORD',
  'ANNALS_SECRET_KEY',
  'ANNALS_BOOTSTRAP_KEY',
  'ANNALS_OPERATOR_KEY',
  'ANNALS_METRICS_TOKEN',
  'ANNALS_GRAFANA_PASSWORD',
];

/** A value for every secret of .env.example, new in each run. */
export function createSecrets() {
  return Object.fromEntries(SECRETS.map((name) => [name, randomBytes(24).toString('hex')]));
}
