import { confirmFindings, type FileFinding, FolderComparison, type FoundBlob, NO_FILE } from './compare-files.js';

const ID = '019b8d62-7a80-77af-a0fa-000000000001';
const GONE = '019b8d62-7a80-77af-a0fa-00000000dead';
const PATH = `entries/kitchen/facts/20260105T090000.000Z__${ID}.md`;
const pathOf = (id: string, folder = 'entries/kitchen/facts') => `${folder}/20260105T090000.000Z__${id}.md`;

interface Situation {
  /** What is at the path of the one item, whose content is `a`. */
  readonly found?: FoundBlob;
  readonly files?: Readonly<Record<string, FoundBlob>>;
  readonly committed?: Readonly<Record<string, string>> | null;
}

/** Compares a folder of one item, as the shell does. */
function compare({ found = 'a', files = {}, committed = { [PATH]: 'a' } }: Situation): string[] {
  const comparison = new FolderComparison(committed && new Map(Object.entries(committed)));
  comparison.addExpected({ id: ID, path: PATH, blob: 'a' }, found);
  const there: Readonly<Record<string, FoundBlob>> = found === null ? files : { ...files, [PATH]: found };
  for (const [path, blob] of Object.entries(there))
    comparison.addFile(path, comparison.isToBeRead(path) ? blob : undefined);
  comparison.addCommitted();
  return comparison.findings.map(({ fault, path }) => `${fault} ${path}`);
}

describe('FolderComparison', () => {
  it('finds nothing where folder and last commit have what the database has, or there is no history', () => {
    expect(compare({})).toEqual([]);
    expect(compare({ committed: null })).toEqual([]);
  });

  it.each([
    ['nothing', null, `missing ${PATH}`],
    ['another content', 'b', `different ${PATH}`],
    ['something that is no file', NO_FILE, `different ${PATH}`],
  ] as const)('finds %s in the place of a file', (_what, found, expected) => {
    expect(compare({ found })).toEqual([expected]);
    expect(compare({ found, committed: null })).toEqual([expected]);
  });

  it('finds what the last commit does not have, or has in another version', () => {
    expect(compare({ committed: {} })).toEqual([`uncommitted ${PATH}`]);
    expect(compare({ committed: { [PATH]: 'b' } })).toEqual([`uncommitted ${PATH}`]);
  });

  it('finds files of items that are gone or have moved, and leaves alone what is somebody’s own', () => {
    const elsewhere = pathOf(ID, 'entries/kitchen/deleted/facts');
    expect(compare({ files: { [pathOf(GONE)]: 'x' } })).toEqual([`stray ${pathOf(GONE)}`]);
    expect(compare({ files: { [elsewhere]: 'x' }, committed: { [PATH]: 'a', [elsewhere]: 'x' } })).toEqual([
      `stray ${elsewhere}`,
    ]);
    const changed = { files: { [elsewhere]: 'changed' }, committed: { [PATH]: 'a', [elsewhere]: 'x' } };
    expect(compare(changed)).toEqual([]);
    const own = { 'notes.md': 'n', 'entries/kitchen/notes.md': 'n', [elsewhere]: 'a copy' };
    expect(compare({ files: own })).toEqual([]);
  });

  it('finds live summaries that are gone by what the last commit has: their names say no id', () => {
    const summary = 'entries/kitchen/summaries/L1/chunk_0.md';
    expect(compare({ files: { [summary]: 's' }, committed: { [PATH]: 'a', [summary]: 's' } })).toEqual([
      `stray ${summary}`,
    ]);
    expect(compare({ files: { [summary]: 's' } })).toEqual([]);
  });

  it('tells changes that were kept from those whose item is gone', () => {
    const kept = PATH.replace('.md', '.conflict.md');
    const ofGone = pathOf(GONE).replace('.md', '.conflict-2.md');
    expect(compare({ files: { [kept]: 'k', [ofGone]: 'k' } })).toEqual([`conflict ${kept}`, `stray ${ofGone}`]);
  });

  it('finds what only the last commit still has of an item', () => {
    const former = pathOf(ID, 'entries/kitchen/deleted/facts');
    const committed = {
      [PATH]: 'a',
      [former]: 'a',
      [pathOf(GONE)]: 'x',
      'entries/kitchen/notes.md': 'n',
      '.gitignore': 'i',
    };
    expect(compare({ committed })).toEqual([`uncommitted ${former}`, `uncommitted ${pathOf(GONE)}`]);
  });
});

describe('confirmFindings', () => {
  const finding = (fault: FileFinding['fault'], path: string): FileFinding => ({ fault, path });

  it('keeps what was found twice in the same way', () => {
    const first = [finding('missing', 'a'), finding('missing', 'b'), finding('different', 'c')];
    const second = [finding('missing', 'b'), finding('uncommitted', 'c'), finding('missing', 'd')];
    expect(confirmFindings(first, second)).toEqual([finding('missing', 'b')]);
  });
});
