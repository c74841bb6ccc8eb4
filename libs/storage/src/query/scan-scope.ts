import type { Tx } from '../database/transaction.js';
import { Binder } from './binder.js';
import { memoryConditions } from './memory-conditions.js';
import type { RecallSearch } from './recall-search.js';
import { turnConditions } from './turn-conditions.js';

/** A unit of the index that passes all filters. */
export interface ScopedUnit {
  readonly id: string;
  readonly unit: number;
}

/** Every indexed memory that passes the filters. */
export function scanMemories(tx: Tx, search: RecallSearch): Promise<ScopedUnit[]> {
  const { bind, values } = new Binder();
  return tx.query<ScopedUnit>(
    `SELECT m.id, u.unit FROM memories m JOIN lexical_units u ON u.memory_id = m.id
      WHERE u.user_id = ${bind(search.userId)} AND ${memoryConditions(search, bind)}`,
    values,
  );
}

/** Every indexed turn that passes the filters. */
export function scanTurns(tx: Tx, search: RecallSearch): Promise<ScopedUnit[]> {
  const { bind, values } = new Binder();
  return tx.query<ScopedUnit>(
    `SELECT g.id, u.unit
       FROM conversations c
       JOIN messages g ON g.tenant_id = c.tenant_id AND g.conversation_id = c.id
       JOIN lexical_units u ON u.message_id = g.id
      WHERE u.user_id = ${bind(search.userId)} AND ${turnConditions(search, bind)}`,
    values,
  );
}
