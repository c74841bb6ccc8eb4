import { type FileStamp, isSameStamp } from './file-stamp.js';

/** Paths that are remembered: some seconds of writing, until the events of these writes were looked at. */
const MAX_NOTES = 20_000;

/** What is at a path by the last write of Annals. `null`: nothing. */
type Left = FileStamp | null;

/** What this process did at a path. Another object whenever that changes. */
export interface OwnNote {
  readonly left: Left;
  /** What was there before, while it is being replaced: it may be found as well. */
  readonly former?: Left | undefined;
}

/**
 * What this process wrote and removed in folders of the vault, so that the events of that are told from those of people.
 * Bounded: what was forgotten looks like a person's change, which costs a run of work that finds nothing.
 */
export class OwnChanges {
  private readonly notes = new Map<string, OwnNote>();

  constructor(private readonly maxNotes = MAX_NOTES) {}

  /**
   * Notes what a path of a folder will be, before it is: its event may come before the caller goes on. `former`: what is
   * there until then, if that is known. Call what is returned behind the change, with whether it was made.
   */
  begin(folder: string, path: string, next: Left, former?: Left): (isMade: boolean) => void {
    const key = keyOf(folder, path);
    const before = this.notes.get(key);
    this.put(key, { left: next, former: former ?? before?.left });
    return (isMade) => {
      if (isMade) this.put(key, { left: next });
      else if (before === undefined) this.notes.delete(key);
      else this.put(key, before);
    };
  }

  find(folder: string, path: string): OwnNote | undefined {
    return this.notes.get(keyOf(folder, path));
  }

  private put(key: string, note: OwnNote): void {
    // At the end of the order in which they are forgotten.
    this.notes.delete(key);
    this.notes.set(key, note);
    if (this.notes.size <= this.maxNotes) return;
    const [oldest] = this.notes.keys();
    this.notes.delete(oldest!);
  }
}

/** Whether what is at a path is what this process left there. */
export function isLeftBy({ left, former }: OwnNote, found: Left): boolean {
  return isSame(left, found) || (former !== undefined && isSame(former, found));
}

function keyOf(folder: string, path: string): string {
  return `${folder}\0${path}`;
}

function isSame(one: Left, other: Left): boolean {
  return one === null || other === null ? one === other : isSameStamp(one, other);
}
