import { type Memory, type MemoryWritten, ProblemError } from '@annals/contracts';
import type { Clock, IdGenerator, MemoryChange } from '@annals/domain';
import { CLOCK, CONFIG, IDS, randomBytes } from '@annals/runtime';
import { getMemory, type MemoryWriteCommand, type Tx, writeMemories } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { ContentEmbedder } from '../embedding/content-embedder.js';
import { resolveOutcome } from './resolve-outcome.js';
import { memoryNotFound, MemoryView } from './memory-view.js';

export type Embeddings = NonNullable<MemoryWriteCommand['embeddings']>;

export const NO_EMBEDDINGS: Embeddings = new Map();

/** Applies single changes of callers through the one write path (docs/reference/writes.md#one-write-path). */
@Injectable()
export class MemoryChanges {
  constructor(
    @Inject(MemoryView) private readonly view: MemoryView,
    @Inject(ContentEmbedder) private readonly embedder: ContentEmbedder,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'retention'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  /**
   * Writes one change and returns the memory that contains the statement afterwards. Throws a `ProblemError` when the
   * change was not made.
   */
  async apply(
    tx: Tx,
    caller: Principal,
    userId: string,
    change: MemoryChange,
    embeddings: Embeddings = NO_EMBEDDINGS,
  ): Promise<MemoryWritten> {
    const { model, linkFloor: minCosine } = this.embedder;
    const vectors = new Map([...embeddings].map(([content, { vector }]) => [content, vector]));
    const command: MemoryWriteCommand = {
      userId,
      actor: `key:${caller.keyId}`,
      node: 'api',
      changes: [change],
      comparison: { kind: 'link', model, vectors, minCosine },
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
    this.view.checkWritten(memory, caller);
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
