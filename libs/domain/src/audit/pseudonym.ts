import { createHmac } from 'node:crypto';

const PREFIX = 'pseudonym:';
const PSEUDONYM = /^pseudonym:[0-9a-f]{64}$/;

/**
 * What stands for a user in the audit chain, and in every table once the user is erased: `pseudonym:` with 64 hex digits
 * (docs/reference/audit.md#pseudonyms-of-users). HMAC-SHA-256 under the installation's chain key, so that only somebody
 * with the key can tell whose it is, and only by knowing the id. Differs between tenants. A pseudonym is its own.
 */
export function userPseudonym(key: Uint8Array, tenantId: string, userId: string): string {
  if (isPseudonym(userId)) return userId;
  return PREFIX + createHmac('sha256', key).update(`annals.user.v1\n${tenantId}\n${userId}`, 'utf8').digest('hex');
}

/** Whether a user id is the pseudonym of an erased user. No caller can choose such an id. */
export function isPseudonym(userId: string): boolean {
  return PSEUDONYM.test(userId);
}
