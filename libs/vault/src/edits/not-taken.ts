import { readWholeFile } from '../files/read-file.js';
import { removeFile } from '../files/remove-file.js';
import { NOT_TAKEN_PATH } from '../projection/vault-folder.js';
import { writeOwnFile } from '../projection/own-file.js';
import type { OtherFile } from '../projection/edit-notes.js';
import { VaultUnavailableError } from '../unavailable.js';
import type { EditFault } from './plan-candidate.js';

const ADVICE: Readonly<Record<EditFault, string>> = {
  unreadable: 'Its front matter is no YAML between two lines of “---”.',
  merge_markers: 'A merge is not finished in it: remove the lines of “<<<<<<<”, “=======” and “>>>>>>>”.',
  invalid: 'Correct what is named here.',
  another_memory: 'It says that it is another memory: write the text into the file of that one.',
  forgotten:
    'It is of a memory that was forgotten for good. Remove the id from its front matter and its name to remember it anew.',
  not_current: 'Its memory was changed meanwhile: write the text into the file of the memory that holds now.',
  read_only: 'Only category, importance and pinned can be changed in the front matter.',
  not_text: 'It is no text in UTF-8.',
  too_large: 'It is larger than 80 KiB.',
  writing_refused: 'Its text is not written as the memories of this tenant have to be.',
  not_applied: 'The database did not make this change: see the history of the memory.',
};

/** Another file of that name is somebody's own. */
const TITLE = '# Not taken over\n\n';

/**
 * Writes `not-taken.md`, which tells people which of their new files did not become memories, and why; removes it when there are none.
 * @throws VaultUnavailableError
 */
export async function writeNotTaken(folder: string, others: Readonly<Record<string, OtherFile>>): Promise<void> {
  const text = renderNotTaken(others);
  const former = await readWholeFile(folder, NOT_TAKEN_PATH);
  if (text === former || (former !== null && !former.startsWith(TITLE))) return;
  try {
    if (text === null) await removeFile(folder, NOT_TAKEN_PATH);
    else await writeOwnFile(folder, NOT_TAKEN_PATH, text);
  } catch (error) {
    // A folder or a link of that name is somebody's, and must not stop what else there is to do.
    if (!(error instanceof VaultUnavailableError && error.code === 'EEXIST')) throw error;
  }
}

function renderNotTaken(others: Readonly<Record<string, OtherFile>>): string | null {
  const lines = Object.entries(others)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, { reason, problems }]) => {
      if (reason === undefined) return [];
      const advice = ADVICE[reason as EditFault] ?? ADVICE.not_applied;
      return [`- \`${path}\`: ${advice}`, ...problems.map((problem) => `  - ${problem}`)];
    });
  if (lines.length === 0) return null;
  const intro = 'These files did not become memories. Change one, and it is looked at again. Annals writes this list.';
  return `${TITLE}${intro}\n\n${lines.join('\n')}\n`;
}
