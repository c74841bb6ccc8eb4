export { findUnindexed, type UnindexedUser } from './find-unindexed.js';
export { indexTurns } from './index-turns.js';
export { reindexUser } from './reindex-user.js';
export { removeUnits, type UnitSelector } from './remove-units.js';
