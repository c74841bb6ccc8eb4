import { allOf, findChangedMemories, listVaultConversationIds } from '@annals/storage';
import { GitError } from '../git/git-error.js';
import type { VaultRun } from './write-vault.js';

/**
 * Somebody who is in the middle of a merge or on another branch is not written under, for as long as it takes; but nothing that
 * is to be forgotten waits for them: then what they had begun ends, and their commits stay.
 * @throws GitError `busy`
 */
export async function takeRepository({ repository, index, read, userId, chain }: VaultRun): Promise<void> {
  const state = await repository?.state();
  if (!repository || !state?.isBusy) return;
  const after = index.chain?.seq ?? 0;
  const mustForget =
    index.mustForget ||
    (await read(async (tx) => {
      const [{ hasPurged }, conversations] = await allOf([
        findChangedMemories(tx, userId, { after, upTo: chain.seq }),
        listVaultConversationIds(tx, userId),
      ]);
      const there = new Set(conversations);
      return hasPurged || index.listConversations().some((id) => !there.has(id));
    }));
  if (!mustForget)
    throw new GitError('busy', 'A merge or a rebase is not finished, or another branch than main is out.');
  await repository.forget({ keep: () => true });
}
