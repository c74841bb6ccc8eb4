import { readFile, rm } from 'node:fs/promises';
import { updateRefs } from './commit.js';
import { type CommitFates, FilteredHistory, type HistoryFilter } from './filter-history.js';
import type { Git } from './git.js';
import { gitPath, NEXT_REF } from './git-folder.js';

export interface RewrittenHistory {
  /** Commits of all branches and tags afterwards. */
  readonly commits: number;
  /** Commits that are gone, since all that they changed is. */
  readonly dropped: number;
}

interface Ref {
  readonly name: string;
  readonly id: string;
  /** Its commit; `null` when it leads to none. */
  readonly commit: string | null;
  /** An annotated tag, which is an object of its own. */
  readonly isTagObject: boolean;
}

const FORMAT = '%(refname) %(objectname) %(objecttype) %(*objectname) %(*objecttype)';
const MARKS = 'annals-marks';
const EXPORT = [
  'fast-export',
  '--no-data',
  '--show-original-ids',
  '--use-done-feature',
  '--reencode=no',
  '--signed-tags=strip',
  '--tag-of-filtered-object=drop',
  '--branches',
  '--tags',
];

/**
 * Writes the history of the branches and tags again without what `filter` drops, then sets all of them at once. A process
 * killed before that has the former history, and may start again.
 */
export async function rewriteRefs(git: Git, filter: HistoryFilter): Promise<RewrittenHistory> {
  const refs = (await listRefs(git)).filter((ref) => isKept(ref));
  if (refs.length === 0) return { commits: 0, dropped: 0 };
  const history = new FilteredHistory(filter);
  const marksFile = gitPath(git.folder, MARKS);
  const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw-permissive'];
  try {
    await git.run([...args, `--export-marks=${marksFile}`], { input: history.rewrite(git.stream(EXPORT)) });
    const marks = readMarks(await readFile(marksFile, 'latin1'));
    const moves = await Promise.all(refs.map((ref) => moveRef(git, ref, history.fates, marks)));
    await updateRefs(git, [...moves.flat(), `delete ${NEXT_REF}`]);
  } finally {
    await rm(marksFile, { force: true });
  }
  return { commits: history.commits, dropped: history.dropped };
}

/** Removes the refs that are no branches and tags of commits: those of remotes, stashes, notes, replacements. */
export async function deleteOtherRefs(git: Git): Promise<void> {
  const others = (await listRefs(git)).filter((ref) => !isKept(ref));
  if (others.length > 0)
    await updateRefs(
      git,
      others.map(({ name }) => `delete ${name}`),
    );
}

async function listRefs(git: Git): Promise<Ref[]> {
  const lines = (await git.text(['for-each-ref', `--format=${FORMAT}`])).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [name = '', id = '', type = '', target = '', targetType = ''] = line.split(' ');
    const isTagObject = type === 'tag';
    const commit = type === 'commit' ? id : isTagObject && targetType === 'commit' ? target : null;
    return { name, id, commit, isTagObject };
  });
}

function isKept({ name, commit }: Ref): boolean {
  return commit !== null && (name.startsWith('refs/heads/') || name.startsWith('refs/tags/'));
}

/** The change of a ref to its new commit, or its deletion when nothing is left of its history. */
async function moveRef(git: Git, ref: Ref, fates: CommitFates, marks: ReadonlyMap<number, string>): Promise<string[]> {
  const mark = fates.get(ref.commit!) ?? null;
  const commit = mark === null ? undefined : marks.get(mark);
  if (commit === undefined) return [`delete ${ref.name} ${ref.id}`];
  const id = ref.isTagObject && commit !== ref.commit ? await rewriteTag(git, ref, commit) : commit;
  if (ref.isTagObject && commit === ref.commit) return [];
  return id === ref.id ? [] : [`update ${ref.name} ${id} ${ref.id}`];
}

/** The same annotated tag on another commit, without the signature, which would not be valid for it. */
async function rewriteTag(git: Git, ref: Ref, commit: string): Promise<string> {
  const tag = (await git.run(['cat-file', 'tag', ref.id])).toString('latin1');
  const unsigned = tag.replace(/-----BEGIN (?:PGP|SSH|SIGNED)[\s\S]*$/, '');
  const rewritten = Buffer.from(unsigned.replace(/^object .*/, `object ${commit}`), 'latin1');
  return git.text(['hash-object', '-t', 'tag', '-w', '--stdin'], { input: [rewritten] });
}

/** Lines `:<mark> <id>`. */
function readMarks(text: string): Map<number, string> {
  const marks = new Map<number, string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [mark = '', id = ''] = line.slice(1).split(' ');
    marks.set(Number(mark), id);
  }
  return marks;
}
