export {
  ManualClock,
  SeededRng,
  SystemClock,
  SystemRng,
  UuidV7Generator,
  readSystemRandomBytes,
} from './determinism/index.js';
export type { Clock, IdGenerator, Rng } from './determinism/index.js';
