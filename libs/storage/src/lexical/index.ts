export { findUnindexed, reindexUser, type UnindexedUser } from './reindex-user.js';
export { indexTurns } from './index-turns.js';
export { removeUnits, type UnitSelector } from './remove-units.js';
