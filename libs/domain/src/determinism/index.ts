export type { Clock } from './clock.js';
export type { IdGenerator } from './id-generator.js';
export { ManualClock } from './manual-clock.js';
export type { Rng } from './rng.js';
export { SeededRng } from './seeded-rng.js';
export { SystemClock, SystemRng, readSystemRandomBytes } from './system.js';
export { UuidV7Generator } from './uuid-v7-generator.js';
