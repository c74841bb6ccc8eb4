import { loadConfigOrExit } from '@annals/config';
import { SystemClock, SystemRng, UuidV7Generator } from '@annals/domain';
import { Database } from '../database/database.js';
import { ensureBootstrapKey, ensureOperatorKey } from '../keys/ensure-key.js';
import { migrate } from '../migrate.js';
import { describeKey, explainFailure } from './messages.js';

/**
 * One-shot command for deployments: migrates the schema, sets the services' password, and creates the configured keys.
 * Safe to run at every start and concurrently.
 */
const config = loadConfigOrExit(['migration']).migration;
const clock = new SystemClock();
const keyOptions = { now: clock.now(), ids: new UuidV7Generator(clock, new SystemRng()) };
const owner = { url: config.adminUrl };
const printLine = (line: string) => process.stdout.write(`${line}\n`);

async function prepare(): Promise<void> {
  const ran = await migrate(owner, {
    ...(config.appPassword === undefined ? {} : { appPassword: config.appPassword }),
    onLocked: () => printLine('Another transaction holds a table: trying again.'),
  });
  printLine(ran.length === 0 ? 'The schema is up to date.' : `Applied: ${ran.join(', ')}`);
  if (config.operatorKey !== undefined) {
    printLine(
      describeKey('ANNALS_OPERATOR_KEY', await ensureOperatorKey(owner, { ...keyOptions, text: config.operatorKey })),
    );
  }
  if (config.bootstrapKey === undefined) return;
  const database = await Database.open({ ...owner, role: 'annals_app', poolSize: 1 });
  try {
    const key = { ...keyOptions, text: config.bootstrapKey, operator: false, ifRevoked: 'leave' } as const;
    printLine(describeKey('ANNALS_BOOTSTRAP_KEY', (await ensureBootstrapKey(database, key)).isValid));
  } finally {
    await database.close();
  }
}

// The main process of a container gets only the signals that it asks for. What is not committed is rolled back.
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const)
  process.once(signal, () => process.exit(128 + number));

try {
  await prepare();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = 1;
}
