/** A served memory that cites a turn. */
export interface CitingFact {
  readonly id: string;
  readonly hash: string;
  readonly supersededBy: string | null;
  /** Whether it holds at the time that is asked about. */
  readonly holds: boolean;
}

/**
 * Whether everything that was learnt from a turn has been replaced since
 * (docs/reference/recall.md#superseded-turns-rank-lower). A successor inherits the sources of what it replaced though
 * it says something else: that it holds does not speak for the turn. Where the old words have become true again, it
 * does.
 */
export function isSupersededTurn(facts: readonly CitingFact[]): boolean {
  const replaced = facts.filter((fact) => !fact.holds && fact.supersededBy !== null);
  if (replaced.length === 0) return false;
  return facts.every((fact) => !fact.holds || isInherited(fact, facts));
}

function isInherited(fact: CitingFact, facts: readonly CitingFact[]): boolean {
  const saysTheSame = facts.some((other) => other.id !== fact.id && other.hash === fact.hash);
  return !saysTheSame && facts.some((other) => other.supersededBy === fact.id && other.hash !== fact.hash);
}
