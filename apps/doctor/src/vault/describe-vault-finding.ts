import type { FileFault, FileFinding } from '@annals/vault';
import { fail, type Finding, ok, skip, warn } from '../report.js';

const REPAIR = 'Run annals vault check --repair, which asks for the folder to be written again.';

/** Finding and advice for each fault. `file` is a path below the folder of the vault, `user` is “user ada in tenant …”. */
const SENTENCES: Readonly<Record<FileFault, (file: string, user: string) => readonly [found: string, advice: string]>> =
  {
    missing: (file, user) => [`There is no file ${file}, which ${user} should have.`, REPAIR],
    different: (file, user) => [
      `The file ${file} of ${user} is not what the database has.`,
      `${REPAIR} What somebody made of it is kept beside it.`,
    ],
    stray: (file, user) => [`The file ${file} of ${user} belongs to nothing that the database has.`, REPAIR],
    uncommitted: (file, user) => [`The last commit of ${user} does not have ${file} as the database has it.`, REPAIR],
    conflict: (file, user) => [
      `A change of the file beside ${file} of ${user} was kept when it was written anew.`,
      'Take over what is worth it, then delete the file.',
    ],
  };

export function describeUser(userId: string, tenantId: string): string {
  return `user ${JSON.stringify(userId)} in tenant ${tenantId}`;
}

export function describeFile(
  file: FileFinding,
  { user, folder }: { readonly user: string; readonly folder: string },
): Finding {
  const [found, advice] = SENTENCES[file.fault](`${folder}/${file.path}`, user);
  return describe(file.fault, found, advice);
}

/** The findings of a fault that are not reported one by one. */
export function describeMoreFiles(fault: FileFault, count: number, user: string): Finding {
  const found = `${count} more files of ${user} have the same fault (${fault}).`;
  return describe(fault, found, fault === 'conflict' ? 'Read and delete them.' : REPAIR);
}

/** Somebody's kept change is nothing that Annals has to mend. */
function describe(fault: FileFault, found: string, advice: string): Finding {
  return fault === 'conflict' ? warn('vault.conflict', found, advice) : fail(`vault.${fault}`, found, advice);
}

export function describeMissingFolder(user: string, folder: string, items: number): Finding {
  return fail('vault.missing', `There is no folder ${folder} of ${user}, who should have ${items} files.`, REPAIR);
}

export function describeRepository(user: string, message: string): Finding {
  const advice =
    'If it stays so, move the folder .git away and run annals vault check --repair: the history begins anew.';
  return fail('vault.repository', `The Git repository of ${user} cannot be read. ${message}`, advice);
}

export function describeOrphan(path: string): Finding {
  return fail(
    'vault.orphan',
    `The folder ${path} belongs to nobody that the database has.`,
    'If a backup of the vault was restored, its owner may have been erased meanwhile: delete the folder, it contains what they said.',
  );
}

/** `folders`: what is still there. */
export function describeRemoval(subjectId: string, tenantId: string, folders: readonly string[]): Finding {
  const there = folders.length === 0 ? 'its folder is gone' : `${folders.join(', ')} is still there`;
  return fail(
    'vault.not_removed',
    `The removal of subject ${subjectId} in tenant ${tenantId}, an erased user, is pending for more than an hour; ${there}.`,
    'Look whether a process with ANNALS_VAULT_PATH runs, and why its work waits: annals doctor.',
  );
}

export function describeWaiting(count: number, tenantId: string): Finding {
  const found = `Work for ${count} ${count === 1 ? 'folder' : 'folders'} of tenant ${tenantId} waits or runs: they are not compared.`;
  return skip('vault.pending', found);
}

/** Work that does not go on by itself soon. `code`: why. */
export function describePending(user: string, state: 'deferred' | 'failed', code: string | null): Finding {
  const reason = code ?? 'unknown';
  if (state === 'deferred') {
    const found = `Writing the files of ${user} is deferred (${reason}): they are not compared.`;
    return warn('vault.pending', found, 'Look into the log of the process that writes the vault: it says what to do.');
  }
  const advice = 'Look into the log of the process that writes the vault, then run annals vault check --repair.';
  return warn('vault.pending', `Writing the files of ${user} has failed (${reason}).`, advice);
}

export function describeRepair(folders: number, tenantId: string): Finding {
  const found = `${folders} ${folders === 1 ? 'folder' : 'folders'} of tenant ${tenantId} will be written again by the process that writes the vault.`;
  return ok('vault.repair', `${found} Check again then.`);
}
