import type { EchoRest } from '../echoes/find-echo.js';
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
  /** Whether it had not ended at the time of the query, as far as that was known. */
  readonly holds: boolean;
}

/** What of a turn has been replaced. */
export function listReplaced(facts: readonly CitingFact[], echoes: readonly EndedEcho[]): EndedEcho[] {
  const stated = listStated(facts);
  const ended = facts.filter(({ holds }) => !holds);
  return [...ended, ...echoes].filter(
    ({ supersededBy, replacedBy }) => supersededBy !== null && (replacedBy === null || !stated.includes(replacedBy)),
  );
}

function listStated(facts: readonly CitingFact[]): string[] {
  return facts.filter((fact) => fact.holds && !isInherited(fact, facts)).map(({ id }) => id);
}

/** From this share on that repeats what ended, a turn that no memory cites is over. */
const OVER_SHARE = 1 / 3;

/**
 * Whether a turn is over (docs/reference/recall.md#turns-that-are-over): `wholly` when all memories that were extracted
 * from it have been replaced since, or, without such memories, when much of it repeats what has ended; `partly` when
 * some of them have ended. `echoed`: the sentences that say what was replaced; null when some of that is in none.
 */
export function judgeTurn(
  facts: readonly CitingFact[],
  echoes: readonly EndedEcho[],
  echoed: EchoRest | null,
): Pick<RecallCandidate, 'superseded' | 'supersededBy' | 'validTo' | 'states' | 'holding'> {
  const [newest] = listReplaced(facts, echoes).toSorted((a, b) => (b.validTo ?? 0) - (a.validTo ?? 0));
  const isOver = facts.length > 0 ? isReplaced(facts) : echoes.length > 0 && (echoed?.share ?? 0) >= OVER_SHARE;
  const isPartlyOver = echoes.length > 0 || facts.some(({ holds }) => !holds);
  return {
    superseded: isOver ? 'wholly' : isPartlyOver ? 'partly' : 'no',
    supersededBy: newest?.replacedBy ?? null,
    validTo: newest?.validTo ?? null,
    states: listStated(facts),
    holding: isOver ? '' : (echoed?.rest ?? ''),
  };
}

/** What of a turn still holds, as a turn that is not over; null when nothing of it does. */
export function keepHolding<Candidate extends Omit<RecallCandidate, 'lexicalCeiling' | 'relatedStrength'>>(
  candidate: Candidate,
): Candidate | null {
  // Without a successor that is left, `validTo` alone tells that something was replaced.
  if (candidate.kind !== 'turn' || (candidate.supersededBy ?? candidate.validTo) === null) return candidate;
  const { holding = '' } = candidate;
  if (holding === '') return null;
  return { ...candidate, content: holding, superseded: 'no', supersededBy: null, validTo: null };
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
