export type FactKind = 'number' | 'date' | 'name' | 'negation';

/** A part of a text that must not be changed when it is worded anew. */
export interface Fact {
  readonly kind: FactKind;
  /** Equal for equal facts: "2", "900 EUR", "19:30", "#3"; "2023-05-08", "Tue"; "ana"; "not eat meat". */
  readonly value: string;
  /** As it is written. */
  readonly text: string;
}

export type FactList = readonly Fact[];

/** The numbers, dates, names and negations of a text. */
export function listFacts(_text: string): FactList {
  return [];
}

/** What any of the parts states and the text does not. */
export function findLostFacts(_parts: readonly string[], _text: string): FactList {
  return [];
}

/** What the text states and none of the sources does. */
export function findInventedFacts(_sources: readonly string[], _text: string): FactList {
  return [];
}
