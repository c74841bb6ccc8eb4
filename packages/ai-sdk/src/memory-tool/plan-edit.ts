import { isMemory, type Place, type StoredLine } from './layout.js';
import { byteLength, readLine } from './lines.js';

/** A line of a file as it stands there now. */
export interface ShownLine {
  readonly text: string;
  readonly stored: StoredLine;
  /** Of a memory: what it says, which others may have corrected since it was written. */
  readonly statement?: string;
  readonly revision?: number;
}

/** A memory that another statement takes the place of, as it was shown. */
export interface Replaced {
  readonly id: string;
  readonly revision: number;
  /** Nobody has changed it since its line was written. */
  readonly isUnchanged: boolean;
}

/** A line that is to be: as it is stored, or one whose memory is still to be written, in the place of another. */
export type PlannedLine =
  | { readonly keep: StoredLine }
  | {
      readonly write: string;
      readonly line: Place;
      readonly replaces: Replaced | undefined;
    };

export interface EditPlan {
  readonly lines: readonly PlannedLine[];
  /** Lines that are no more. */
  readonly removed: readonly ShownLine[];
}

/**
 * From the lines of a file to its new text. A line whose statement stays keeps its memory, wherever it moves.
 * `elsewhere` are the memories of other files.
 */
export function planEdit(shown: readonly ShownLine[], text: string, elsewhere: ReadonlySet<string>): EditPlan {
  const unused = new Map<string, ShownLine[]>();
  for (const line of shown)
    if (line.statement !== undefined) unused.set(line.statement, [...(unused.get(line.statement) ?? []), line]);
  const lines = text.split('\n').map((lineText): PlannedLine => {
    const line = readLine(lineText);
    if (typeof line === 'string') return { keep: line };
    const place = placeOf(line, byteLength(lineText));
    const same = unused.get(line.statement)?.shift()?.stored;
    if (same !== undefined && isMemory(same))
      return { keep: { id: same.id, own: same.own, revision: same.revision, ...place } };
    return { write: line.statement, line: place, replaces: undefined };
  });
  return correctOne(lines, [...unused.values()].flat(), elsewhere);
}

/** One statement in the place of one other corrects it. Of more than one, nobody knows which corrects which. */
function correctOne(
  lines: readonly PlannedLine[],
  removed: readonly ShownLine[],
  elsewhere: ReadonlySet<string>,
): EditPlan {
  const [gone, ...others] = removed;
  const isOnlyChange = others.length === 0 && lines.filter((line) => 'write' in line).length === 1;
  const stored = gone?.stored;
  const revision = gone?.revision;
  if (!isOnlyChange || revision === undefined || stored === undefined || !isMemory(stored) || !stored.own)
    return { lines, removed };
  const isKept = lines.some((line) => 'keep' in line && isMemory(line.keep) && line.keep.id === stored.id);
  if (isKept || elsewhere.has(stored.id)) return { lines, removed };
  const replaces = { id: stored.id, revision, isUnchanged: stored.revision === revision };
  return { lines: lines.map((line) => ('write' in line ? { ...line, replaces } : line)), removed: [] };
}

function placeOf({ before, after }: { before: string; after: string }, size: number): Place {
  return { ...(before === '' ? {} : { before }), ...(after === '' ? {} : { after }), size };
}
