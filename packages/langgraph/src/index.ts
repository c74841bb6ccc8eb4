export { AnnalsSaver, type AnnalsSaverOptions, type PruneStrategy } from './checkpoints/annals-saver.js';
