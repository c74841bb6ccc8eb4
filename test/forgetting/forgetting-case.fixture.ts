/** A message of a case; a string is what the user says. */
export type Said = string | { readonly role: 'user' | 'assistant'; readonly content: string; readonly id?: string };

/** What happens in a case, in order. All cases of a group do their n-th step before any does the next. */
export type Step =
  | {
      readonly do: 'say';
      readonly messages: readonly Said[];
      readonly thread?: string;
      /** Days before now at which it was said; the time of the post otherwise. */
      readonly daysAgo?: number;
      readonly appId?: string;
      readonly end?: boolean;
    }
  | { readonly do: 'add'; readonly content: string }
  /** `answer`: what is expected of it; `forgotten` by default. */
  | {
      readonly do: 'forget';
      readonly text: string;
      readonly answer?: 'forgotten' | 'dry_run' | 'nothing' | 'ambiguous';
    }
  /** Deletes the turn that contains the word. */
  | { readonly do: 'forgetTurn'; readonly word: string }
  /** On the current memory that contains the word. */
  | { readonly do: 'delete' | 'restore' | 'pin'; readonly word: string }
  /** Forgets what was just posted, while it is being extracted. */
  | { readonly do: 'sayThenForget'; readonly messages: readonly Said[]; readonly text: string };

/** A question to the person's memories at the end. */
export interface Question {
  readonly query: string;
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
  /** Days before the end at which it held (`as_of`). */
  readonly asOfDaysAgo?: number;
}

export interface ForgettingCase {
  readonly name: string;
  readonly steps: readonly Step[];
  /** After the time of the group has passed. */
  readonly later?: readonly Step[];
  /** Words that nothing contains any more: no answer, list, export, table, queue. Unique to the case. */
  readonly gone?: readonly string[];
  /** Words that answers to them still contain. */
  readonly stays?: readonly string[];
  /** Words that a current memory still contains. */
  readonly remembered?: readonly string[];
  readonly questions?: readonly Question[];
}

const SYLLABLES = 'ba ke di mo lu ra ve zi to na pe go fu ri ca jo we ny ha su'.split(' ');

/**
 * Made-up words and numbers, each of which occurs in one case alone: what is found of it anywhere was left behind by
 * this case. All words have seven letters, so that none is a part of another.
 */
export class Words {
  private next: number;
  constructor(start: number) {
    this.next = start;
  }

  /** As a name: of a person, a place, a company. */
  name(): string {
    const index = this.next++;
    const letters = [0, 1, 2].map((place) => SYLLABLES[Math.floor(index / 20 ** place) % 20]!).join('');
    return `${letters.slice(0, 1).toUpperCase()}${letters.slice(1)}k`;
  }

  /** Six digits. */
  number(): string {
    return String(410_000 + 7 * this.next++);
  }
}

export const say = (...messages: readonly Said[]): Step => ({ do: 'say', messages });
export const forget = (text: string): Step => ({ do: 'forget', text });
export const assistant = (content: string): Said => ({ role: 'assistant', content });
