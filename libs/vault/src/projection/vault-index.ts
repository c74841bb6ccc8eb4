import { VAULT_STATE_FOLDER } from '@annals/domain';
import type { VaultChain } from '@annals/storage';
import { z } from 'zod';
import type { FileStamp } from '../files/file-stamp.js';
import { readWholeFile } from '../files/read-file.js';
import { createEditNotes, type EditNotes, editNotesSchema, stampSchema } from './edit-notes.js';
import { writeOwnFile } from './own-file.js';
import { removeFile } from '../files/remove-file.js';

/** The snapshot index: what the files of a user were when they were last written. It can always be made anew from the database. */
export const INDEX_PATH = `${VAULT_STATE_FOLDER}/index.json`;
/** What is being written: a killed run leaves it, and the next one knows these files as its own. */
const JOURNAL_PATH = `${VAULT_STATE_FOLDER}/writing.json`;

/** Whose turn it is to write: a worker that was replaced finds the claim of another one. */
const WRITER_PATH = `${VAULT_STATE_FOLDER}/writer`;

/** Another worker writes this folder now. */
export class VaultTakenError extends Error {
  override readonly name = 'VaultTakenError';

  constructor() {
    super('Another worker writes this folder of the vault now.');
  }
}

/** Raised when the content of the index or of files changes: an index of another format is made anew. */
const FORMAT = 1;

const itemSchema = z.object({
  path: z.string(),
  /** The id that Git gives the content. */
  blob: z.string(),
  /** Of the item in the database when it was written. */
  mark: z.string(),
  kind: z.enum(['memory', 'turn', 'summary']),
  /** Of turns and summaries. */
  conversation: z.string().optional(),
  /** Of a message that lost words for good: its former versions have them. */
  hasLostWords: z.literal(true).optional(),
  /** Null: something else is at the path, so the file could not be written. */
  stamp: stampSchema.nullable(),
});
const indexSchema = z.object({
  format: z.literal(FORMAT),
  subjectId: z.string(),
  /** Link of the audit chain up to which memories were written; null before all of them were. */
  chain: z.object({ seq: z.number(), head: z.string() }).nullable(),
  /** `isReduced`: it has messages that are hidden or lost words, which former summaries may tell. */
  conversations: z.record(z.string(), z.object({ mark: z.string(), threadId: z.string(), isReduced: z.boolean() })),
  items: z.record(z.string(), itemSchema),
  /** When something of the user was last forgotten, as far as the history was rewritten for it; epoch ms. */
  forgottenAt: z.number().nullable(),
  /** Whether the history still contains what was forgotten. */
  mustForget: z.boolean(),
  /** Whether something was written that is not committed, because Git was switched off. */
  mustCommit: z.boolean(),
  edits: editNotesSchema,
});
const journalSchema = z.record(z.string(), z.array(z.string()));
/** In the journal, in the place of a content: the file is removed. */
const REMOVED = '';
/** Mark of an item that is to be written again, whatever the database says. */
const STALE = '';

export type IndexedItem = z.infer<typeof itemSchema>;
type IndexData = z.infer<typeof indexSchema>;

/** The snapshot index of one folder, with its items by path. */
export class VaultIndex {
  private readonly idsByPath: Map<string, string>;
  private readonly idsByConversation = new Map<string, Set<string>>();

  private constructor(
    private readonly folder: string,
    private readonly data: IndexData,
    /** What killed runs were writing, by path. */
    private readonly journal: Map<string, string[]>,
    private readonly claim: string,
  ) {
    this.idsByPath = new Map(Object.entries(data.items).map(([id, { path }]) => [path, id]));
    for (const [id, item] of Object.entries(data.items)) this.groupByConversation(id, item);
  }

  /**
   * What is stored, or an empty index when there is none, it is torn, or it belongs to another user. From now on, `claim` is the one
   * that may write.
   */
  static async load(folder: string, subjectId: string, claim: string): Promise<VaultIndex> {
    await claimFolder(folder, claim);
    const [text, journal] = await Promise.all([readWholeFile(folder, INDEX_PATH), readWholeFile(folder, JOURNAL_PATH)]);
    const data = parse(indexSchema, text);
    const isKnown = data?.subjectId === subjectId;
    const written = new Map(Object.entries(parse(journalSchema, journal) ?? {}));
    // What a run wrote that did not come to its end is not in the index: everything is compared.
    if (data && written.size > 0) data.chain = null;
    const empty: IndexData = {
      format: FORMAT,
      subjectId,
      chain: null,
      conversations: {},
      items: {},
      forgottenAt: null,
      mustForget: false,
      mustCommit: false,
      edits: createEditNotes(),
    };
    return new VaultIndex(folder, isKnown ? data : empty, written, claim);
  }

  /** What is stored, for who only compares it with files: it cannot be saved. Null when there is none, or it is torn. */
  static async peek(folder: string): Promise<VaultIndex | null> {
    const data = parse(indexSchema, await readWholeFile(folder, INDEX_PATH));
    return data && new VaultIndex(folder, data, new Map(), '');
  }

  get chain(): VaultChain | null {
    return this.data.chain;
  }
  set chain(chain: VaultChain | null) {
    this.data.chain = chain;
  }

  get forgottenAt(): number | null {
    return this.data.forgottenAt;
  }
  set forgottenAt(at: number | null) {
    this.data.forgottenAt = at;
  }

  get mustForget(): boolean {
    return this.data.mustForget;
  }
  set mustForget(must: boolean) {
    this.data.mustForget = must;
  }

  get mustCommit(): boolean {
    return this.data.mustCommit;
  }
  set mustCommit(must: boolean) {
    this.data.mustCommit = must;
  }

  get conversations(): IndexData['conversations'] {
    return this.data.conversations;
  }

  find(id: string): IndexedItem | undefined {
    return Object.hasOwn(this.data.items, id) ? this.data.items[id] : undefined;
  }

  /** Every conversation that has items, also one whose last run stopped in the middle of it. */
  listConversations(): string[] {
    const withItems = [...this.idsByConversation].flatMap(([id, items]) => (items.size > 0 ? [id] : []));
    return [...new Set([...Object.keys(this.data.conversations), ...withItems])];
  }

  entries(): [string, IndexedItem][] {
    return Object.entries(this.data.items);
  }

  /** Messages and summaries of a conversation. */
  listOf(conversationId: string): string[] {
    return [...(this.idsByConversation.get(conversationId) ?? [])];
  }

  /** The item whose file is at a path. */
  findAt(path: string): { readonly id: string; readonly item: IndexedItem } | undefined {
    const id = this.idsByPath.get(path);
    return id === undefined ? undefined : { id, item: this.data.items[id]! };
  }

  put(id: string, item: IndexedItem): void {
    const former = this.find(id);
    if (former && this.idsByPath.get(former.path) === id) this.idsByPath.delete(former.path);
    this.data.items[id] = item;
    this.idsByPath.set(item.path, id);
    this.groupByConversation(id, item);
  }

  delete(id: string): void {
    const former = this.find(id);
    if (former && this.idsByPath.get(former.path) === id) this.idsByPath.delete(former.path);
    if (former?.conversation !== undefined) this.idsByConversation.get(former.conversation)?.delete(id);
    delete this.data.items[id];
  }

  /** Whether a content at a path was written by Annals, or taken over, as far as the index and its journal know. */
  isOwn(path: string, blob: string): boolean {
    const other = this.data.edits.others[path];
    const isTaken = other?.isTaken === true && other.keptFor === undefined && other.blob === blob;
    return isTaken || this.findAt(path)?.item.blob === blob || (this.journal.get(path)?.includes(blob) ?? false);
  }

  /** Whether a run that did not come to its end was removing the file at a path. */
  isOwnRemoval(path: string): boolean {
    return this.journal.get(path)?.includes(REMOVED) ?? false;
  }

  /** Has an item written again: something else than it is at its path. */
  markStale(id: string): void {
    const item = this.find(id);
    if (item === undefined) return;
    item.mark = STALE;
    const conversation = item.conversation === undefined ? undefined : this.data.conversations[item.conversation];
    if (conversation) conversation.mark = STALE;
  }

  isStale(item: IndexedItem): boolean {
    return item.mark === STALE;
  }

  /** What somebody wrote at the path of an item is taken over: it may be replaced. */
  adopt(id: string, { blob, stamp }: { readonly blob: string; readonly stamp: FileStamp }): void {
    Object.assign(this.data.items[id]!, { blob, stamp });
    this.markStale(id);
  }

  /** What is known of changes of people; saved with the index. */
  get edits(): EditNotes {
    return this.data.edits;
  }

  /** Saves what was taken over, in the middle of a run: what it was writing before stays in the journal. */
  async saveEdits(): Promise<void> {
    await this.assertClaim();
    await writeOwnFile(this.folder, INDEX_PATH, JSON.stringify(this.data));
  }

  /**
   * Notes what is written next, before it is: until the next `save`.
   * @throws VaultTakenError
   */
  async noteWriting(
    files: readonly { readonly path: string; readonly blob: string }[],
    removed: readonly string[] = [],
  ): Promise<void> {
    await this.assertClaim();
    for (const { path, blob } of files) this.noteInJournal(path, blob);
    for (const path of removed) this.noteInJournal(path, REMOVED);
    await writeOwnFile(this.folder, JOURNAL_PATH, JSON.stringify(Object.fromEntries(this.journal)));
  }

  /** @throws VaultTakenError */
  async save(): Promise<void> {
    await this.assertClaim();
    await writeOwnFile(this.folder, INDEX_PATH, JSON.stringify(this.data));
    this.journal.clear();
    await removeFile(this.folder, JOURNAL_PATH);
  }

  private noteInJournal(path: string, blob: string): void {
    this.journal.set(path, [...(this.journal.get(path) ?? []), blob]);
  }

  private groupByConversation(id: string, { conversation }: IndexedItem): void {
    if (conversation === undefined) return;
    const ids = this.idsByConversation.get(conversation) ?? new Set<string>();
    this.idsByConversation.set(conversation, ids.add(id));
  }

  private async assertClaim(): Promise<void> {
    if ((await readWholeFile(this.folder, WRITER_PATH)) !== this.claim) throw new VaultTakenError();
  }
}

/**
 * From now on, `claim` is the one that may write the folder: a worker that is writing it stops.
 * @throws VaultUnavailableError
 */
export function claimFolder(folder: string, claim: string): Promise<void> {
  return writeOwnFile(folder, WRITER_PATH, claim);
}

function parse<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
