import { exitOnConfigError, loadConfigOrExit } from '@annals/config';
import { ConsolidationWorkerModule } from '@annals/consolidation-worker';
import { createProcessContext, runService } from '@annals/runtime';
import { Standalone, STANDALONE_FRAGMENTS } from '@annals/standalone';
import { TomInsightModule } from '@annals/tom-insight';

// The standalone app without the workers of its minds: their work is asked for and waits for an app that has them.
const MINDS: readonly unknown[] = [TomInsightModule, ConsolidationWorkerModule];

const config = loadConfigOrExit(STANDALONE_FRAGMENTS);
const context = createProcessContext({ name: 'standalone', version: 'bench', logLevel: config.logging.level });
const { definition } = exitOnConfigError(() => new Standalone(context, config, () => undefined));
const kinds = new Set([...TomInsightModule.consumes(config), ...ConsolidationWorkerModule.consumes(config)]);

await runService({
  ...definition,
  modules: definition.modules.filter((module) => !('module' in module && MINDS.includes(module.module))),
  consumes: definition.consumes.filter((kind) => !kinds.has(kind)),
});
