import { GLOBAL_OWNER, type Memory, type MemoryScope } from '@annals/contracts';

/** The scope of the memories of this owner, the value of a column `user_id`. */
export const scopeOfOwner = (owner: string): MemoryScope => (owner === GLOBAL_OWNER ? 'global' : 'user');

/** The owner as responses name them: global memories have none. */
export const namedOwner = (owner: string): string | null => (owner === GLOBAL_OWNER ? null : owner);

/** Under whose id a memory is stored and written. */
export const ownerOf = ({ user_id: userId }: Pick<Memory, 'user_id'>): string => userId ?? GLOBAL_OWNER;
