import type { ReplacedStatement, TurnRest } from '../echoes/read-rest.js';
import type { RecallCandidate } from './types.js';

/** What a turn repeats and what has ended since the turn was said. */
export interface EndedEcho {
  readonly content: string;
  /** Its direct successor, deleted or not. */
  readonly supersededBy: string | null;
  /** The first of the memories that followed it that holds, else the last; null when none of them is left. */
  readonly replacedBy: string | null;
  /** Epoch ms. */
  readonly validTo: number | null;
}

/** A served memory that cites a turn. */
export interface CitingFact extends EndedEcho {
  readonly id: string;
  readonly hash: string;
  /** The words of the turn that it is based on. */
  readonly quote: string;
  /** Whether it had not ended at the time of the query, as far as that was known. */
  readonly holds: boolean;
}

/** What of a turn has been replaced; with a quote where it cites the turn. */
export function listReplaced(
  facts: readonly CitingFact[],
  echoes: readonly EndedEcho[],
): (EndedEcho & ReplacedStatement)[] {
  const stated = listStated(facts).map(({ id }) => id);
  const ended = facts.filter(({ holds }) => !holds);
  return [...ended, ...echoes].filter(
    ({ supersededBy, replacedBy }) => supersededBy !== null && (replacedBy === null || !stated.includes(replacedBy)),
  );
}

/** What a turn itself states of what holds. */
export function listStated(facts: readonly CitingFact[]): CitingFact[] {
  return facts.filter((fact) => fact.holds && !isInherited(fact, facts));
}

/** From this share on that repeats what ended, a turn that no memory cites is over. */
const OVER_SHARE = 1 / 3;

/**
 * Whether a turn is over (docs/reference/recall.md#turns-that-are-over): `wholly` when all memories that were extracted
 * from it have been replaced since, or, without such memories, when much of it repeats what has ended; `partly` when
 * some of them have ended. `besides`: what it says beside what was replaced; null when nothing was.
 */
export function judgeTurn(
  facts: readonly CitingFact[],
  echoes: readonly EndedEcho[],
  besides: TurnRest | null,
): Pick<RecallCandidate, 'superseded' | 'supersededBy' | 'validTo' | 'states' | 'holding'> {
  const [newest] = listReplaced(facts, echoes).toSorted((a, b) => (b.validTo ?? 0) - (a.validTo ?? 0));
  const isOver = facts.length > 0 ? isReplaced(facts) : echoes.length > 0 && (besides?.share ?? 0) >= OVER_SHARE;
  const isPartlyOver = echoes.length > 0 || facts.some(({ holds }) => !holds);
  return {
    superseded: isOver ? 'wholly' : isPartlyOver ? 'partly' : 'no',
    supersededBy: newest?.replacedBy ?? null,
    validTo: newest?.validTo ?? null,
    states: listStated(facts).map(({ id }) => id),
    ...(besides === null || isOver ? {} : { holding: { content: besides.rest, isMixed: besides.isMixed } }),
  };
}

/**
 * A turn without the sentences that are over, null when none is left. It is as one that is not over, unless some of what
 * is over could not be told from what holds: then it still says so.
 */
export function keepHolding<Candidate extends Omit<RecallCandidate, 'lexicalCeiling' | 'relatedStrength'>>(
  candidate: Candidate,
): Candidate | null {
  // Without a successor that is left, `validTo` alone tells that something was replaced.
  if (candidate.kind !== 'turn' || (candidate.supersededBy ?? candidate.validTo) === null) return candidate;
  const { holding } = candidate;
  if (holding === undefined || holding.content === '') return null;
  const kept = { ...candidate, content: holding.content };
  return holding.isMixed ? kept : { ...kept, superseded: 'no', supersededBy: null, validTo: null };
}

/**
 * A successor inherits the sources of the memory it replaced although its content differs, so a valid successor does
 * not count for the turn. It does count when it has the old content again.
 */
function isReplaced(facts: readonly CitingFact[]): boolean {
  if (!facts.some((fact) => !fact.holds && fact.supersededBy !== null)) return false;
  return facts.every((fact) => !fact.holds || isInherited(fact, facts));
}

function isInherited(fact: CitingFact, facts: readonly CitingFact[]): boolean {
  const hasSameContent = facts.some((other) => other.id !== fact.id && other.hash === fact.hash);
  return !hasSameContent && facts.some((other) => other.supersededBy === fact.id && other.hash !== fact.hash);
}
