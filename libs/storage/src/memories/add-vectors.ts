import { type ChangeResult, type MergeBands, scopeOfOwner } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { ContentEmbedding } from './embeddings.js';
import { type WriteDependencies, writeMemories } from './write-memories.js';

/** Vectors of stored memories of one user, under one embedding model. */
export interface VectorAddition {
  readonly userId: string;
  /** For the audit history. */
  readonly actor: string;
  readonly model: string;
  readonly bands: MergeBands;
  readonly statements: readonly Pick<MemoryEntity, 'id' | 'content' | 'type'>[];
  /** By content, one for each. */
  readonly embeddings: ReadonlyMap<string, ContentEmbedding>;
}

/**
 * Adds vectors to memories that were stored without one, with the relations and the similarity check that they would
 * have got when they were written (docs/reference/reconciliation.md#vectors-that-come-later); global memories only get
 * relations. Returns how many memories got one, not those that were purged meanwhile, and how many pairs were merged.
 */
export async function addVectors(
  tx: Tx,
  { userId, actor, model, bands, statements, embeddings }: VectorAddition,
  dependencies: WriteDependencies,
): Promise<{ readonly added: number; readonly merged: number }> {
  const late = statements.map(({ id, content }) => ({ ...embeddings.get(content)!, memoryId: id, content }));
  const written = await writeMemories(
    tx,
    {
      userId,
      actor,
      node: 'worker',
      changes: statements.map(({ id, ...statement }) => ({ kind: 'compare', memoryId: id, statement })),
      comparison: { kind: 'late', model, bands, embeddings: late, mergesNone: scopeOfOwner(userId) === 'global' },
      existingUserOnly: true,
    },
    dependencies,
  );
  if (written.outcome !== 'applied') return { added: 0, merged: 0 };
  const count = (test: (outcome: ChangeResult['outcome']) => boolean) =>
    written.results.filter(({ outcome }) => test(outcome)).length;
  return { added: count((outcome) => outcome !== 'not_found'), merged: count((outcome) => outcome === 'merged') };
}
