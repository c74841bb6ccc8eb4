/**
 * The value that a statement gives to an attribute with one value at a time (where a person lives, on which day a
 * meeting is), or that something is so or not (that a person plays chess). Statements with the same key are about the
 * same attribute or thing of the same subject.
 */
export interface Slot {
  readonly key: string;
  /** Parts of the value, in lower case: the parts that two holding statements share must agree. */
  readonly parts: Readonly<Record<string, string>>;
  /** False when the statement negates the value or ends it; without parts, it negates every value. */
  readonly holds: boolean;
  /** `state`: how things are when the statement is made. `event`: a change at its date. */
  readonly tense: 'state' | 'event';
  /** Kind of the value ("on <date>"): values of two kinds, or of which only one has a kind, hold beside each other. */
  readonly frame?: string;
  /**
   * Of statements that can hold beside others of their key: `beside` ends none of them, `instead` ("now") ends those with
   * another `value` and otherwise the same parts.
   */
  readonly mode?: 'beside' | 'instead';
  /** It names no value but returns to the one before the current one. */
  readonly returns?: true;
  /** Of an end that happened ("sold the boat"): it stays true when the thing holds again later. */
  readonly stays?: true;
}

/** A part whose value is new but unknown: "a new job as a teacher" leaves the employer open. */
export const SOMETHING_NEW = '*';

/** Whether both cannot hold at once, so that the later one ends the earlier one. */
export function isContradiction(earlier: Slot, later: Slot): boolean {
  if (earlier.key !== later.key || earlier.frame !== later.frame) return false;
  const shared = Object.keys(earlier.parts).filter((part) => part in later.parts);
  if (earlier.holds && later.holds) {
    if (later.mode === undefined) return shared.some((part) => isChange(earlier.parts[part]!, later.parts[part]!));
    return later.mode === 'instead' && isReplacement(earlier.parts, later.parts);
  }
  if (earlier.holds === later.holds || earlier.stays) return false;
  const denial = earlier.holds ? later : earlier;
  if (Object.keys(denial.parts).length === 0) return true;
  return shared.length > 0 && shared.every((part) => isSame(earlier.parts[part]!, later.parts[part]!));
}

/** "Trains on Mondays" and "trains on Fridays now": they differ in their value alone. */
function isReplacement(earlier: Slot['parts'], later: Slot['parts']): boolean {
  const [before, after] = [earlier['value'], later['value']];
  if (before === undefined || after === undefined || isSame(before, after)) return false;
  return Object.keys(later).every((part) => part === 'value' || earlier[part] === later[part]);
}

function isChange(earlier: string, later: string): boolean {
  if (later === SOMETHING_NEW) return true;
  return earlier !== SOMETHING_NEW && !isSame(earlier, later);
}

/** "Developer" and "software developer", "Berlin" and "East Berlin": one may be the shorter name of the other. */
function isSame(a: string, b: string): boolean {
  const [short, long] = [a.split(' '), b.split(' ')].toSorted((x, y) => x.length - y.length);
  return short!.every((word) => long!.includes(word));
}
