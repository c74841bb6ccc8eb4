/** A served memory that cites a turn. */
export interface CitingFact {
  readonly id: string;
  readonly hash: string;
  readonly supersededBy: string | null;
  /** Whether it holds at the time of the query. */
  readonly holds: boolean;
}

/**
 * Whether all memories that were extracted from a turn have been replaced since
 * (docs/reference/recall.md#superseded-turns-rank-lower). A successor inherits the sources of the memory it replaced
 * although its content differs, so a valid successor does not count for the turn. It does count when it has the old
 * content again.
 */
export function isSupersededTurn(facts: readonly CitingFact[]): boolean {
  const replaced = facts.filter((fact) => !fact.holds && fact.supersededBy !== null);
  if (replaced.length === 0) return false;
  return facts.every((fact) => !fact.holds || isInherited(fact, facts));
}

function isInherited(fact: CitingFact, facts: readonly CitingFact[]): boolean {
  const hasSameContent = facts.some((other) => other.id !== fact.id && other.hash === fact.hash);
  return !hasSameContent && facts.some((other) => other.supersededBy === fact.id && other.hash !== fact.hash);
}
