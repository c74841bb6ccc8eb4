import type { Tx } from '../database/transaction.js';
import type { RecallFindings, RecallSearch } from './recall-search.js';

export async function findCandidates(_tx: Tx, _search: RecallSearch): Promise<RecallFindings> {
  return { candidates: [], revision: 0, isStale: false };
}
