import { GLOBAL_OWNER, type Memory, type MemoryWritten, ProblemError, routes } from '@annals/contracts';
import { type Clock, type IdGenerator, type MemoryChange, ownerOf } from '@annals/domain';
import { CLOCK, CONFIG, IDS, randomBytes } from '@annals/runtime';
import { getMemory, type MemoryWriteCommand, type Tx, writeMemories } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { actorOf, type Principal } from '../auth/principal.js';
import { RouteGuard } from '../auth/route-guard.js';
import type { GatewayConfig } from '../config.js';
import { TextEmbedder } from '../embedding/text-embedder.js';
import type { Call } from '../http/call.js';
import { etagOf } from '../http/headers.js';
import type { WriteResult } from '../idempotency/idempotent-writes.js';
import { resolveOutcome } from './resolve-outcome.js';
import { memoryNotFound, MemoryView } from './memory-view.js';

type Embeddings = NonNullable<MemoryWriteCommand['embeddings']>;

export const NO_EMBEDDINGS: Embeddings = new Map();

/** A change of the memory that a path names. */
type PathChange = { kind: 'delete'; by: 'user' } | { kind: 'restore' | 'undo' | 'release' | 'reject' };

/** Applies single changes of callers through the one write path (docs/reference/writes.md#one-write-path). */
@Injectable()
export class MemoryChanges {
  constructor(
    @Inject(MemoryView) private readonly view: MemoryView,
    @Inject(RouteGuard) private readonly guard: RouteGuard,
    @Inject(TextEmbedder) private readonly embedder: TextEmbedder,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'retention'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  /** Changes the memory that the path names, at the revision that the caller expects. */
  async applyToPath(
    tx: Tx,
    call: Call & { readonly params: { readonly id: string } },
    requested: PathChange,
    embeddings?: Embeddings,
  ): Promise<WrittenMemory> {
    const { params, caller } = call;
    const userId = ownerOf(await this.view.findBound(tx, params.id, caller));
    const change: MemoryChange = { ...requested, memoryId: params.id, ...expectedRevisionOf(call) };
    return answerWith(userId, await this.apply(tx, caller, userId, change, embeddings));
  }

  /**
   * Returns the memory that contains the statement afterwards. Throws a `ProblemError` when nothing was changed. Global
   * memories are changed only by keys that may also add them, whatever route names one.
   */
  async apply(
    tx: Tx,
    caller: Principal,
    userId: string,
    change: MemoryChange,
    embeddings: Embeddings = NO_EMBEDDINGS,
  ): Promise<MemoryWritten> {
    if (userId === GLOBAL_OWNER) this.guard.checkRoute(routes.addGlobalMemory, caller);
    const { model, profile } = this.embedder;
    const vectors = new Map([...embeddings].map(([content, { vector }]) => [content, vector]));
    const command: MemoryWriteCommand = {
      userId,
      actor: actorOf(caller),
      node: 'api',
      threadId: ('memory' in change && change.memory.threadId) || null,
      changes: [change],
      // Related from this cosine on, on the model's own scale (docs/reference/reconciliation.md#similarity-bands).
      comparison: { kind: 'link', model, vectors, minCosine: profile.bands.link },
      embeddings,
    };
    const { clock, ids } = this;
    const { purgeAfterMs } = this.config.retention;
    const written = await writeMemories(tx, command, { clock, ids, randomBytes, purgeAfterMs });
    if (written.outcome !== 'applied') throw new Error(`A manual write ended as ${written.outcome}.`);
    const result = written.results[0]!;
    const memory = await getMemory(tx, result.memoryId);
    if (!memory) throw memoryNotFound();
    if (result.outcome === 'revision_conflict') throw revisionConflict(memory);
    const outcome = resolveOutcome(result.outcome, memory);
    this.view.checkWritten(memory, written.written, caller);
    return { outcome, memory };
  }
}

function revisionConflict({ revision }: Memory): ProblemError {
  return new ProblemError(
    'revision_conflict',
    `The memory is now at revision ${revision}: read it again, and retry with If-Match: "${revision}" if still needed.`,
    { currentVersion: revision },
  );
}

/** The precondition of a change: the revision in `If-Match`. */
export function expectedRevisionOf({ expectedRevision }: Pick<Call, 'expectedRevision'>): {
  expectedRevision?: number;
} {
  return expectedRevision === null ? {} : { expectedRevision };
}

export type WrittenMemory = ReturnType<typeof answerWith>;

/** A response with the memory's current revision as ETag. */
export function answerWith(userId: string, body: MemoryWritten, status = 200) {
  return { userId, answer: { status, body, headers: etagOf(body.memory) } };
}

export function withoutOutcome({ userId, answer }: WrittenMemory): WriteResult<Memory> {
  return { userId, answer: { ...answer, body: answer.body.memory } };
}
