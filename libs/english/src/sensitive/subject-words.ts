/** What reveals a subject, as sources of patterns of whole words. */
export interface SubjectWords {
  /** Idioms and other uses of the same words; taken out before anything else is looked for. */
  readonly harmless: readonly string[];
  /** Whatever their case. */
  readonly words: readonly string[];
  /** As they are written: "Black", "Mass", "Pride". */
  readonly names: readonly string[];
}

/** "people", "colleague": who a word about a person may describe. */
export const PERSON =
  '(?:persons?|people|m[ae]n|wom[ae]n|boys?|girls?|guys?|colleagues?|friends?|famil(?:y|ies)|parents?|mother|father|mum|mom|dad|wife|husband|partner|child(?:ren)?|kids?|sons?|daughters?|neighbou?rs?|citizens?|users?|couples?|community|minority|employees?|workers?|students?)';
export const IS = '(?:am|is|are|was|were|be|been|being|became|becomes|feels?|felt|seems?|looks?)';
