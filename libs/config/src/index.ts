export { ConfigError, type ConfigProblem } from './config-error.js';
export { type Config, type FragmentName } from './fragments.js';
export { type EmbeddingsConfig } from './fragments/models.js';
export { type Environment, loadConfig } from './load-config.js';
export { loadConfigOrExit } from './load-or-exit.js';
