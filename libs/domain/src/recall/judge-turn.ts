import type { RecallCandidate } from './types.js';

/** A served memory that cites a turn. */
export interface CitingFact {
  readonly id: string;
  readonly hash: string;
  readonly supersededBy: string | null;
  /** The last of the memories that followed it, the first of them that holds; null without a successor. */
  readonly replacedBy: string | null;
  /** Epoch ms. */
  readonly validTo: number | null;
  /** Whether it holds at the time of the query. */
  readonly holds: boolean;
}

/** What a turn repeats and what has ended since the turn was said. */
export interface EndedEcho extends Pick<CitingFact, 'replacedBy' | 'validTo'> {
  readonly content: string;
}

/** Of an assistant's turn, or of any that no memory cites: from this share on that repeats what ended, it is over. */
const OVER_SHARE = 1 / 3;

/**
 * Whether a turn is over (docs/reference/recall.md#turns-that-are-over): `wholly` when all memories that were extracted
 * from it have been replaced since, or, without such memories, when `echoedShare` of its words repeat what has ended;
 * `partly` when some of them have ended.
 */
export function judgeTurn(
  facts: readonly CitingFact[],
  echoes: readonly EndedEcho[],
  echoedShare: number,
): Pick<RecallCandidate, 'superseded' | 'supersededBy' | 'validTo' | 'states'> {
  const ended = facts.filter(({ holds }) => !holds);
  const states = facts.filter((fact) => fact.holds && !isInherited(fact, facts)).map(({ id }) => id);
  const replaced = [...ended, ...echoes].filter(
    ({ replacedBy }) => replacedBy !== null && !states.includes(replacedBy),
  );
  const newest = replaced.toSorted((a, b) => (b.validTo ?? 0) - (a.validTo ?? 0))[0];
  const isOver = facts.length > 0 ? isReplaced(facts) : echoedShare >= OVER_SHARE;
  return {
    superseded: isOver ? 'wholly' : ended.length + echoes.length > 0 ? 'partly' : 'no',
    supersededBy: newest?.replacedBy ?? null,
    validTo: newest?.validTo ?? null,
    states,
  };
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
