import { type FakeModelsSettings, startFakeModels } from './fake-models.js';

/** Runs the fake models as a process: settings as JSON in the first argument; prints its URL and runs until SIGTERM. */
const settings = JSON.parse(process.argv[2] ?? '{}') as FakeModelsSettings;
const fake = await startFakeModels(settings);
process.once('SIGTERM', () => {
  void fake.close().then(() => process.exit(0));
});
process.stdout.write(`${fake.anthropicUrl}\n`);
