/** Commits after this one have conventional messages (https://www.conventionalcommits.org); those before it had free ones. */
export const LAST_FREE_COMMIT = '68c4868';
