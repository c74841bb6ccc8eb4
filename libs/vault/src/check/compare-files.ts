import { isNamedAfterItem } from '../projection/kept-by.js';
import { ENTRIES_FOLDER, isConflictPath, itemIdOfPath } from '@annals/domain';

/**
 * What is wrong with a file. `missing`: an item has no file. `different`: it is not what the item gives. `stray`: its item is gone, or
 * is in another place. `uncommitted`: the last commit has something else than the folder. `conflict`: a kept change of somebody.
 */
export const FILE_FAULTS = ['missing', 'different', 'stray', 'uncommitted', 'conflict'] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

export interface FileFinding {
  readonly fault: FileFault;
  /** In the folder of the user, parts separated by `/`. */
  readonly path: string;
}

/** The file that an item of the database has to have. `blob`: the id that Git gives its content. */
export interface ExpectedFile {
  readonly id: string;
  readonly path: string;
  readonly blob: string;
}

/** Something that is no file: a link, a folder. */
export const NO_FILE = Symbol('no file');
/** The id that Git gives what is at a path; null: nothing is there. */
export type FoundBlob = string | typeof NO_FILE | null;

/**
 * Compares one folder with the database: first everything that the database has, page by page (`addExpected`), then what lies in
 * the folder (`addFile`), then what the last commit has (`addCommitted`). Keeps an id and a path for each item, and no words.
 */
export class FolderComparison {
  readonly findings: FileFinding[] = [];
  private readonly ids = new Set<string>();
  private readonly paths = new Set<string>();
  private readonly files = new Set<string>();

  /** `committed`: ids of contents by path, as the last commit has them; null: there is no Git history. */
  constructor(private readonly committed: ReadonlyMap<string, string> | null) {}

  /** How many items have a file. */
  get size(): number {
    return this.paths.size;
  }

  addExpected({ id, path, blob }: ExpectedFile, found: FoundBlob): void {
    this.ids.add(id);
    this.paths.add(path);
    if (found !== blob) return this.note(found === null ? 'missing' : 'different', path);
    if (this.committed && this.committed.get(path) !== blob) this.note('uncommitted', path);
  }

  /** Whether the content of a file that is no item's decides whether it is Annals' own. */
  isToBeRead(path: string): boolean {
    return !this.isKnown(path) && isNamedAfterItem(path) && !isConflictPath(path) && this.committed?.has(path) === true;
  }

  /** `found` is only needed when the file is to be read. Files outside of the layout are somebody's own. */
  addFile(path: string, found: FoundBlob = null): void {
    this.files.add(path);
    if (this.isKnown(path)) return;
    if (this.isOfGoneItem(path)) this.note('stray', path);
    else if (isConflictPath(path)) this.note('conflict', path);
    else if (found !== null && this.committed?.get(path) === found) this.note('stray', path);
  }

  /** Behind all files: what only the last commit still has of items that are gone or have moved. */
  addCommitted(): void {
    for (const path of this.committed?.keys() ?? []) {
      const isLeft = !this.isKnown(path) && !this.files.has(path) && itemIdOfPath(path) !== null;
      if (isLeft && !isConflictPath(path)) this.note('uncommitted', path);
    }
  }

  /** Of an item, or outside of the layout. */
  private isKnown(path: string): boolean {
    return this.paths.has(path) || !path.startsWith(`${ENTRIES_FOLDER}/`);
  }

  private isOfGoneItem(path: string): boolean {
    const id = itemIdOfPath(path);
    return id !== null && !this.ids.has(id);
  }

  private note(fault: FileFault, path: string): void {
    this.findings.push({ fault, path });
  }
}

/** Findings that two comparisons have in common: what was only being written has gone meanwhile. */
export function confirmFindings(first: readonly FileFinding[], second: readonly FileFinding[]): FileFinding[] {
  const keyOf = ({ fault, path }: FileFinding) => `${fault} ${path}`;
  const before = new Set(first.map(keyOf));
  return second.filter((finding) => before.has(keyOf(finding)));
}
