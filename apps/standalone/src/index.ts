export { Standalone } from './standalone.js';
export { STANDALONE_FRAGMENTS, type StandaloneConfig } from './standalone.config.js';
