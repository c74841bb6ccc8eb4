import type { MemoryType } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';

/** New statements, by content, and the vectors they have under one model. */
export interface NeighbourQuery {
  readonly userId: string;
  readonly model: string;
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Most neighbours of each statement. */
  readonly limit: number;
  /** Neighbours below this cosine are left out. */
  readonly floor: number;
}

/** A current memory near a new statement. Times are epoch ms. */
export interface Neighbour {
  /** Of the new statement. */
  readonly statement: string;
  readonly memoryId: string;
  readonly cosine: number;
  readonly revision: number;
  readonly content: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly validFrom: number;
}

/** The nearest current memories of each new statement, the nearest first, and how far the user's history was read. */
export interface Neighbourhood {
  readonly neighbours: readonly Neighbour[];
  /** Of the user's audit chain: unchanged as long as nothing of theirs was written. */
  readonly chainSeq: number;
}

export async function findNeighbours(_tx: Tx, _query: NeighbourQuery): Promise<Neighbourhood> {
  return { neighbours: [], chainSeq: 0 };
}
