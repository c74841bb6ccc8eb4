/** Commits after this one have conventional messages (https://www.conventionalcommits.org); those up to it do not. */
export const LAST_FREE_COMMIT = '68c4868';
