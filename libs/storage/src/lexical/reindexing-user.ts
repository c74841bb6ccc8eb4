import { REINDEXING_VERSION } from '@annals/domain';
import type { UserEntity } from '../entities/user.entity.js';

/** The version of users from before there was an index. One that an earlier analyser made is used until it is rebuilt. */
export const NO_ANALYZER = 0;

/** The columns that tell how far a rebuild in steps has come. */
export type ReindexingColumns = Pick<UserEntity, 'analyzer' | 'reindex_below'>;

/**
 * Below which number units are still of an earlier analyser; null unless the index is being rebuilt. A number that a rebuild
 * left which another process ended in its own way counts no more: the version is another one then.
 */
export function readReindexedBelow({ analyzer, reindex_below: below }: ReindexingColumns): number | null {
  return analyzer === REINDEXING_VERSION || analyzer === NO_ANALYZER ? below : null;
}
