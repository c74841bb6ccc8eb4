import { z } from 'zod';

export const stampSchema = z.object({ size: z.number(), mtimeMs: z.number(), ino: z.number() });

const otherSchema = z.object({
  stamp: stampSchema,
  /** The id that Git gives its content. */
  blob: z.string(),
  /** Of the memory that its name or front matter says it is. */
  id: z.string().optional(),
  /** The database has its content: it is to be removed. `keptFor`: beside the file of this memory, it stays. */
  isTaken: z.literal(true).optional(),
  keptFor: z.string().optional(),
  /** Why it did not become a memory, with what to do about each field. */
  reason: z.string().optional(),
  problems: z.array(z.string()).default([]),
});
export type OtherFile = z.infer<typeof otherSchema>;

const notesSchema = z.object({
  /** Whether the last run took changes over: only then a missing file was deleted. */
  isFollowed: z.boolean(),
  /** The last commit when the last run ended. */
  head: z.string().nullable(),
  /** Files that are no item's and that were looked at, by path. */
  others: z.record(z.string(), otherSchema),
  /** What an edited text became, by the id of the memory that it replaced. */
  followers: z.record(z.string(), z.string()),
  /** What a new file became, by its path. */
  became: z.record(z.string(), z.object({ id: z.string(), at: z.number() })),
  /** When memories were deleted by their files; epoch ms. */
  deletions: z.record(z.string(), z.number()),
});
/** What the snapshot index knows of what people did. */
export type EditNotes = z.infer<typeof notesSchema>;

/** Made anew each time: they are changed in place. */
export function createEditNotes(): EditNotes {
  return { isFollowed: false, head: null, others: {}, followers: {}, became: {}, deletions: {} };
}

/** An index of a release that only wrote files has none. */
export const editNotesSchema = notesSchema.default(createEditNotes);

/** How long deletions count together, and can be undone by putting the file back. */
const DELETIONS_MS = 3_600_000;
/** How long a new file that comes again is the same one: who has it open saves it again. */
const OPEN_MS = 600_000;
/** Edited memories whose successors are known; the last ones. */
const MAX_FOLLOWERS = 1_000;

/** Drops what is no longer needed: files that are gone, and what happened more than an hour ago. */
export function tidyNotes(notes: EditNotes, paths: ReadonlySet<string>, now: number): void {
  for (const path of Object.keys(notes.others)) if (!paths.has(path)) delete notes.others[path];
  for (const [path, { at }] of Object.entries(notes.became)) if (now - at > OPEN_MS) delete notes.became[path];
  for (const [id, at] of Object.entries(notes.deletions)) if (now - at > DELETIONS_MS) delete notes.deletions[id];
  for (const id of Object.keys(notes.followers).slice(0, -MAX_FOLLOWERS)) delete notes.followers[id];
}

/** The memory that holds what was written into the file of this one. */
export function followEdits({ followers }: EditNotes, id: string): string {
  const seen = new Set<string>();
  let last = id;
  while (followers[last] !== undefined && !seen.has(last)) {
    seen.add(last);
    last = followers[last]!;
  }
  return last;
}
