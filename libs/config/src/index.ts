export {
  ConfigError,
  type Environment,
  EXIT_CODE_CONFIG,
  exitOnConfigError,
  listAllVariables,
  listVariables,
  loadConfig,
  loadConfigOrExit,
} from './load-config.js';
export { type Config, type FragmentName } from './fragments.js';
export type { ConfiguredModel, ConfiguredRates } from './fragments/llm.js';
