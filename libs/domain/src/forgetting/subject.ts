import type { TurnSpeaker } from '../echoes/read-turn.js';

/** A text in which a subject may be mentioned, and by whom it is said; `nobody`: a memory. */
export interface SearchedText {
  readonly text: string;
  readonly speaker: TurnSpeaker;
}

/** Goes once through all texts of a user, those of memories first. */
export type WalkTexts = (visit: (searched: SearchedText) => void) => Promise<void>;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How a text mentions a subject. */
export interface Mentions {
  /** Where it surely does. */
  readonly sure: readonly Span[];
  /** What else has its words: of something else, or of what may be it. */
  readonly other: 'other_subject' | 'unclear_subject' | null;
}

export const NO_MENTIONS: Mentions = { sure: [], other: null };

/** What is to be forgotten, recognised in texts. */
export interface Subject {
  findMentions(searched: SearchedText): Mentions;
}

/** `candidates`: several subjects fit, each named by a text that fits it alone. */
export type Resolution =
  | { readonly outcome: 'found'; readonly subject: Subject }
  | { readonly outcome: 'ambiguous'; readonly candidates: readonly Candidate[] };

export interface Candidate {
  readonly text: string;
  /** Texts that mention it. */
  readonly mentions: number;
}

export type Certainty = 'sure' | 'unclear' | 'other';

export function collectMentions(found: readonly (Span & { readonly certainty: Certainty })[]): Mentions {
  const is = (certainty: Certainty) => found.some((one) => one.certainty === certainty);
  return {
    sure: found.filter(({ certainty }) => certainty === 'sure'),
    other: is('unclear') ? 'unclear_subject' : is('other') ? 'other_subject' : null,
  };
}

/** The candidates by their key, each with the number of texts that mention it. */
export class CandidateCounter {
  private readonly found = new Map<string, { text: string; mentions: number }>();

  add(key: string, text: string): void {
    const known = this.found.get(key);
    if (known) known.mentions += 1;
    else this.found.set(key, { text, mentions: 1 });
  }

  get keys(): readonly string[] {
    return [...this.found.keys()];
  }

  list(): Candidate[] {
    return [...this.found.values()].toSorted((a, b) => b.mentions - a.mentions || (a.text < b.text ? -1 : 1));
  }
}
