import type { UnitTerms } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import { insertPostings, insertUnits } from './posting-statements.js';

/**
 * Adds new memories to the index under numbers from `firstUnit` on, which the caller takes from the user's row under
 * its lock. Starts the statements and returns them with the next free number.
 */
export function indexMemories(
  tx: Tx,
  userId: string,
  firstUnit: number,
  terms: ReadonlyMap<string, UnitTerms>,
): { statements: Promise<number>[]; nextUnit: number } {
  if (terms.size === 0) return { statements: [], nextUnit: firstUnit };
  const units = [...terms].map(([id, analysis], index) => ({
    ...analysis,
    kind: 'memory' as const,
    id,
    unit: firstUnit + index,
  }));
  return {
    statements: [insertUnits(tx, userId, units), insertPostings(tx, userId, firstUnit, units)],
    nextUnit: firstUnit + units.length,
  };
}
