export { LocalProvider } from './local-provider.js';
