import { loadConfigOrExit } from '@annals/config';
import { SystemClock, SystemRng, UuidV7Generator } from '@annals/domain';
import { Database } from '../database/database.js';
import { ensureBootstrapKey, ensureOperatorKey } from '../keys/ensure-key.js';
import { migrate } from '../migrate.js';
import { explainFailure } from './explain-failure.js';

/**
 * One-shot for deployments: brings the schema up to date, sets the services' password, and makes the given keys valid.
 * Safe to run at every start and by several at once.
 */
const config = loadConfigOrExit(['migration']).migration;
const clock = new SystemClock();
const given = { now: clock.now(), ids: new UuidV7Generator(clock, new SystemRng()) };
const owner = { url: config.adminUrl };
const say = (line: string) => process.stdout.write(`${line}\n`);

async function prepare(): Promise<void> {
  const ran = await migrate(owner, config.appPassword === undefined ? {} : { appPassword: config.appPassword });
  say(ran.length === 0 ? 'The schema is up to date.' : `Applied: ${ran.join(', ')}`);
  if (config.operatorKey !== undefined) {
    await ensureOperatorKey(owner, { ...given, text: config.operatorKey });
    say('The operator key of ANNALS_OPERATOR_KEY is valid.');
  }
  if (config.bootstrapKey === undefined) return;
  const database = await Database.open({ ...owner, role: 'annals_app', poolSize: 1 });
  try {
    await ensureBootstrapKey(database, { ...given, text: config.bootstrapKey, operator: false });
    say('The key of ANNALS_BOOTSTRAP_KEY is valid for the tenant "default".');
  } finally {
    await database.close();
  }
}

try {
  await prepare();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = 1;
}
