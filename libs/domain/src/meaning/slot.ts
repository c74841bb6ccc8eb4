/**
 * The value that a statement gives to an attribute with one value at a time: where a person lives, what they work as,
 * whether they like pizza. Statements with the same key are about the same attribute of the same person.
 */
export interface Slot {
  readonly key: string;
  /** Parts of the value, in lower case: the parts that two holding statements share must agree. */
  readonly parts: Readonly<Record<string, string>>;
  /** False when the statement negates the value or ends it; without parts, it negates every value. */
  readonly holds: boolean;
  /** `state`: how things are when the statement is made. `event`: a change at its date. */
  readonly tense: 'state' | 'event';
}

/** A part whose value is new but unknown: "a new job as a teacher" leaves the employer open. */
export const SOMETHING_NEW = '*';

/** Whether both cannot hold at once, so that the later one ends the earlier one. */
export function isContradiction(earlier: Slot, later: Slot): boolean {
  if (earlier.key !== later.key) return false;
  const shared = Object.keys(earlier.parts).filter((part) => part in later.parts);
  if (earlier.holds && later.holds) {
    return shared.some((part) => isChange(earlier.parts[part]!, later.parts[part]!));
  }
  if (earlier.holds === later.holds) return false;
  const denial = earlier.holds ? later : earlier;
  if (Object.keys(denial.parts).length === 0) return true;
  return shared.length > 0 && shared.every((part) => isSame(earlier.parts[part]!, later.parts[part]!));
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
