import { exitOnConfigError, loadConfigOrExit } from '@annals/config';
import { createProcessContext, readVersion, runService } from '@annals/runtime';
import { Standalone } from './standalone.js';
import { STANDALONE_FRAGMENTS } from './standalone.config.js';

// Standard output is for the person who starts the process; the log goes to standard error, from level `warn`.
const config = loadConfigOrExit(STANDALONE_FRAGMENTS, {
  ...process.env,
  ANNALS_LOG_LEVEL: process.env.ANNALS_LOG_LEVEL || 'warn',
});
const context = createProcessContext({
  name: 'standalone',
  version: readVersion(import.meta.url),
  logLevel: config.logging.level,
  logDestination: { write: (line) => void process.stderr.write(line) },
});
const standalone = exitOnConfigError(
  () => new Standalone(context, config, (text) => void process.stdout.write(`${text}\n`)),
);

await runService(standalone.definition, { onReady: (service) => standalone.printBanner(service) });
