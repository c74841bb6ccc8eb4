import type { ImportedRecord, PENDING_REFERENCES } from '@annals/contracts';
import {
  type ChangeResult,
  type ImportedStatement,
  type MemoryChange,
  type NewSource,
  pauseInTransaction,
  type PlannedLink,
  runInSlices,
  type Sliced,
} from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { writeMemories, type WriteDependencies } from '../memories/write-memories.js';
import type { ImportContext as RecordContext, ImportedText } from './import-conversations.js';
import {
  alreadyThere,
  ERASED,
  FORGOTTEN,
  isErased,
  type MemoryToImport,
  type RecordsToImport,
  refused,
  taken,
} from './import-input.js';
import { type GroundedSources, NOT_GROUNDED, SourceGrounder, SOURCES_MISSING } from './ground-sources.js';
import { orderBySuccessor } from './order-by-successor.js';
import { toStatement } from './to-statement.js';

interface ImportContext extends RecordContext {
  /** Messages of this import, by the id that they have here. */
  readonly texts: ReadonlyMap<string, ImportedText>;
}

type Pending = (typeof PENDING_REFERENCES)[number];

/** A memory that is not refused before it is planned. */
interface Candidate {
  readonly index: number;
  readonly memory: MemoryToImport;
  readonly id: string;
  readonly supersededBy: string | null;
  readonly grounded: GroundedSources;
}

/** Stores memories through the one write path, as they were elsewhere (docs/reference/moving.md#what-happens-to-a-memory). */
export async function importMemories(
  tx: Tx,
  input: RecordsToImport,
  context: ImportContext,
  dependencies: WriteDependencies,
): Promise<ImportedRecord[]> {
  if (input.memories.length === 0) return [];
  const texts = new Map([...context.texts, ...(await loadCitedTexts(tx, input, context))]);
  const results: ImportedRecord[] = [];
  const judging = judgeMemories(input, { ...context, texts });
  const judged = await runInSlices(judging, pauseInTransaction);
  const candidates = input.memories.flatMap((memory, index): Candidate[] => {
    const { refusal, candidate } = judged[index]!;
    if (refusal) results[index] = refusal;
    return refusal ? [] : [{ ...candidate, memory, index }];
  });
  const ordered = orderBySuccessor(candidates);
  const changes = ordered.map((candidate): MemoryChange => ({
    kind: 'import',
    memory: toPlanned(candidate, input, context),
  }));
  const links = planLinks(ordered, context);
  const written = await writeMemories(
    tx,
    { userId: input.userId, actor: input.actor, node: 'api', changes, links, trace: input.trace },
    dependencies,
  );
  if (written.outcome !== 'applied') throw new Error(`An import ended as ${written.outcome}.`);
  const stored = new Map(ordered.map(({ id }, place) => [id, written.results[place]!]));
  for (const [place, candidate] of ordered.entries()) {
    results[candidate.index] = describe(written.results[place]!, candidate, { context, stored });
  }
  return results;
}

type Judged =
  | { readonly refusal: ImportedRecord; readonly candidate?: undefined }
  | { readonly refusal: null; readonly candidate: Omit<Candidate, 'memory' | 'index'> };

function* judgeMemories(input: RecordsToImport, context: ImportContext): Sliced<Judged[]> {
  const { ids, known, texts } = context;
  const sources = new SourceGrounder((id) => {
    const message = ids.resolve('message', id, known.messages);
    return message.state === 'deleted' ? null : { id: message.id, text: texts.get(message.id) };
  });
  const judged: Judged[] = [];
  for (const memory of input.memories) judged.push(yield* judgeMemory(memory, input, sources, context));
  return judged;
}

function* judgeMemory(
  memory: MemoryToImport,
  { isDryRun }: RecordsToImport,
  sources: SourceGrounder,
  context: ImportContext,
): Sliced<Judged> {
  if (memory.refusal) return { refusal: refused(memory.refusal) };
  const { ids, known, erasedAt } = context;
  const resolved = ids.resolve('memory', memory.id, known.memories);
  if (resolved.state === 'deleted') return { refusal: refused(FORGOTTEN) };
  if (isErased(memory.recorded_at, erasedAt)) return { refusal: refused(ERASED) };
  if (resolved.state === 'free' && Date.parse(memory.recorded_at) <= known.wordsForgottenAt(memory.content)) {
    return { refusal: refused(FORGOTTEN) };
  }
  const grounded = yield* sources.ground(memory);
  const isSaid = memory.origin === 'extraction';
  if (isSaid && grounded.sources.length === 0 && !(isDryRun && grounded.missing > 0)) {
    return { refusal: refused(grounded.missing > 0 ? SOURCES_MISSING : NOT_GROUNDED) };
  }
  const supersededBy = memory.superseded_by === null ? null : idOf(memory.superseded_by, context);
  return { refusal: null, candidate: { id: resolved.id, supersededBy, grounded } };
}

/** The id that a memory has here, stored or not. */
function idOf(id: string, { ids, known }: Pick<ImportContext, 'ids' | 'known'>): string | null {
  const resolved = ids.resolve('memory', id, known.memories);
  return resolved.state === 'deleted' ? null : resolved.id;
}

function toPlanned(
  { memory, id, supersededBy, grounded }: Candidate,
  input: RecordsToImport,
  { known }: ImportContext,
): ImportedStatement {
  const cited = known.sourcesOf(id);
  const isNew = ({ messageId }: NewSource) => !cited.has(messageId);
  return toStatement(memory, {
    id,
    supersededBy,
    source: input.source,
    saidAt: grounded.saidAt,
    sources: grounded.sources.filter(isNew),
  });
}

function planLinks(ordered: readonly Candidate[], context: ImportContext): PlannedLink[] {
  const places = new Map(ordered.map(({ id }, place) => [id, place]));
  return ordered.flatMap(({ memory }, from) =>
    memory.relations.flatMap(({ to, relation_type: relationType, strength }): PlannedLink[] => {
      const id = idOf(to, context);
      const place = id === null ? undefined : places.get(id);
      if (place !== undefined) return [{ from, to: place, relationType, strength }];
      return id !== null && isStored(id, context) ? [{ from, toMemoryId: id, relationType, strength }] : [];
    }),
  );
}

const isStored = (id: string, { known }: Pick<ImportContext, 'known'>) => known.memories.ownerOf(id) !== undefined;

function describe(
  { outcome, memoryId }: ChangeResult,
  { memory, supersededBy, grounded }: Candidate,
  { context, stored }: { readonly context: ImportContext; readonly stored: ReadonlyMap<string, ChangeResult> },
): ImportedRecord {
  if (outcome === 'suppressed') {
    return refused({
      code: 'deleted',
      detail: 'A person deleted it here. Restore it with POST /v1/memories/{id}/restore.',
    });
  }
  const isThere = (id: string | null) =>
    id !== null && (isStored(id, context) || (stored.has(id) && stored.get(id)!.outcome !== 'suppressed'));
  const pending: Pending[] = [];
  if (supersededBy !== null && !isThere(supersededBy)) pending.push('superseded_by');
  if (memory.relations.some(({ to }) => idOf(to, context) !== null && !isThere(idOf(to, context))))
    pending.push('relations');
  if (grounded.missing > 0) pending.push('sources');
  const isNew = outcome !== 'unchanged' && outcome !== 'updated';
  const differs = context.known.hasOtherWords(memoryId, memory.content);
  return {
    ...(isNew ? taken(memoryId) : alreadyThere(memoryId)),
    ...(differs ? { differs } : {}),
    ...(pending.length > 0 ? { pending } : {}),
  };
}

type TextRow = Pick<MessageEntity, 'id' | 'content' | 'said_at'>;

/** Of stored messages that memories rest on. */
async function loadCitedTexts(
  tx: Tx,
  { userId, memories }: RecordsToImport,
  { ids, known, texts }: ImportContext,
): Promise<Map<string, ImportedText>> {
  const cited = memories.flatMap(({ sources }) =>
    sources.flatMap(({ messageId }) => {
      const message = ids.resolve('message', messageId, known.messages);
      return message.state === 'stored' && !texts.has(message.id) ? [message.id] : [];
    }),
  );
  if (cited.length === 0) return new Map();
  const rows = await tx.query<TextRow>(
    `SELECT m.id, m.content, m.said_at
       FROM messages m JOIN conversations c ON c.tenant_id = m.tenant_id AND c.id = m.conversation_id
      WHERE m.id = ANY ($1) AND c.user_id = $2`,
    [[...new Set(cited)], userId],
  );
  return new Map(rows.map(({ id, content, said_at: saidAt }) => [id, { content, saidAt: saidAt.getTime() }]));
}
