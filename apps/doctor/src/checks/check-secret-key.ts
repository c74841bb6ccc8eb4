import { deriveSecrets, type SecretKeys } from '@annals/runtime';
import { type ChainKeyCount, countByChainKey, type PgConnection } from '@annals/storage';
import { fail, type Finding, ok } from '../report.js';
import { readStored } from './read-stored.js';

const CHECK = 'secrets.history';

/** Enough to find a wrong key, and few enough for a large installation. */
const SAMPLE = { tenants: 100, usersPerTenant: 100 };

/** A key that histories may have been begun with. */
interface CandidateKey {
  /** How a sentence names it; never the key. */
  readonly name: string;
  readonly chain: Uint8Array;
  /** What to change when histories were begun with it; of the key that processes use, nothing. */
  readonly advice: string;
}

/**
 * Whether the keys of the environment are those that the histories of users were begun with: with another one every
 * write for them is refused. `keys` null: the data folder has lost its key.
 */
export async function inspectSecretKey(connection: PgConnection, keys: SecretKeys | null): Promise<Finding> {
  const candidates = keys === null ? [] : listCandidates(keys);
  const chainKeys = candidates.map(({ chain }) => chain);
  return readStored(
    connection,
    { check: CHECK, unread: 'Histories were not compared with the secret key' },
    async (database) => evaluateSecretKey(await countByChainKey(database, chainKeys, SAMPLE), candidates),
  );
}

/** The key that processes use for histories first, then others that the environment has. */
export function listCandidates({ secretKey, chainKey, acceptedKeys = [] }: SecretKeys): CandidateKey[] {
  const chainOf = (key: string) => deriveSecrets({ secretKey: key }).chain;
  const used = chainKey ?? secretKey;
  const others = [
    ...(chainKey === undefined
      ? []
      : [{ key: secretKey, name: 'ANNALS_SECRET_KEY', advice: 'Unset ANNALS_CHAIN_KEY in every process.' }]),
    ...acceptedKeys.map((key, index) => {
      const name = `key ${index + 1} of ANNALS_SECRET_KEY_ACCEPTED`;
      return { key, name, advice: `Set ANNALS_CHAIN_KEY to ${name} in every process.` };
    }),
  ];
  const name = chainKey === undefined ? 'ANNALS_SECRET_KEY' : 'ANNALS_CHAIN_KEY';
  return [
    { name, chain: chainOf(used), advice: '' },
    ...others.filter(({ key }) => key !== used).map(({ key, ...rest }) => ({ ...rest, chain: chainOf(key) })),
  ];
}

export function evaluateSecretKey(count: ChainKeyCount, candidates: readonly CandidateKey[]): Finding {
  const { users, byKey } = count;
  const [used] = candidates;
  if (users === 0) return ok(CHECK, 'No history has been begun yet: the secret key can be any.');
  if (!used) {
    return fail(
      CHECK,
      'The data folder has no secret.key, with which the histories of its users were begun: the next start would make another, and refuse writes for them.',
      'Put the file back from a backup, or set ANNALS_SECRET_KEY to its content.',
    );
  }
  const refused = users - byKey[0]!;
  if (refused === 0) return ok(CHECK, `${used.name} fits the histories (${describeUsers(users)} compared).`);
  const found = `The histories of ${refused} of ${describeUsers(users)} were begun with another key than ${used.name}: writes for them are refused.`;
  return fail(CHECK, found, adviseKey(count, candidates));
}

/** What gives all of them the right key, if there is one. */
function adviseKey({ users, byKey }: ChainKeyCount, candidates: readonly CandidateKey[]): string {
  const right = candidates.find((_, index) => byKey[index] === users);
  if (right) return `They were begun with ${right.name}. ${right.advice}`;
  if (byKey.every((count) => count === 0)) {
    return 'Set ANNALS_CHAIN_KEY of every process to the secret key that they were begun with (docs/day-two.md, Rotating the secret key).';
  }
  return 'Processes with different keys have written: give every process the key of most users as ANNALS_CHAIN_KEY. Users of another key can be exported and erased, and then begin anew.';
}

function describeUsers(users: number): string {
  return users === 1 ? '1 user' : `${users} users`;
}
