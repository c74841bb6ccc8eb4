export { ConfigError, type ConfigProblem } from './config-error.js';
export { type Config, type FragmentName } from './fragments.js';
export { type ConfiguredModel, type ConfiguredRates, LLM_PROVIDERS, type LlmProviderName } from './fragments/llm.js';
export { type EmbeddingsConfig } from './fragments/models.js';
export { type Environment, listVariables, loadConfig } from './load-config.js';
export { exitOnConfigError, loadConfigOrExit } from './load-or-exit.js';
