/** What will happen to a statement during the run. */
export type Fate = 'kept' | 'corrected' | 'deleted' | 'erased';

/** A statement of a user, told apart by its number, which is in its text. */
export interface Mark {
  readonly number: number;
  /** Index of the tenant. */
  readonly tenant: number;
  readonly userId: string;
  /** Epoch ms. */
  readonly saidAt: number;
  readonly fate: Fate;
  /** Whether its correction or deletion was confirmed. */
  isChanged: boolean;
}

/** In every message of a person who is erased in the end, and in no other. */
export const ERASED_WORD = 'plumgrackle';

/** How ids of these people begin, and those of nobody else. */
export const ERASED_USER = 'gone-';

export function renderMessage({ number, fate }: Pick<Mark, 'number' | 'fate'>): string {
  const place = fate === 'erased' ? ` in ${ERASED_WORD}` : '';
  return `I collect item ${number} of mark-${number}x${place}.`;
}

/** The memory that the fake models make of {@link renderMessage}. */
export function renderMemory(mark: Pick<Mark, 'number' | 'fate'>): string {
  return `The user said: “${renderMessage(mark)}”`;
}

export function renderCorrection({ number }: Pick<Mark, 'number'>): string {
  return `The user gave item ${number} of mark-${number}x away.`;
}

/** The numbers of the marks in a text, each once. */
export function findMarks(text: string): number[] {
  return [...new Set([...text.matchAll(/mark-(\d+)x/g)].map(([, number]) => Number(number)))];
}

type Violation = 'doubled' | 'foreign' | 'anachronism' | 'refused' | 'checkpoint' | 'webhook';

/** What was said and asked, and what answers showed against the rules, in the course of a run. */
export class Book {
  readonly marks: Mark[] = [];
  /** Every batch that was returned to a caller, but of erased people. */
  readonly batchIds: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly violations: Record<Violation, string[]> = {
    doubled: [],
    foreign: [],
    anachronism: [],
    refused: [],
    checkpoint: [],
    webhook: [],
  };
  /** Of each tenant, its confirmed marks that nobody changes or erases: they may be said again and asked for. */
  readonly kept: Mark[][] = [];

  say(about: Omit<Mark, 'number' | 'isChanged'>): Mark {
    const mark = { ...about, number: this.marks.length, isChanged: false };
    this.marks.push(mark);
    return mark;
  }

  confirm(mark: Mark): void {
    if (mark.fate === 'kept') (this.kept[mark.tenant] ??= []).push(mark);
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  violate(rule: Violation, what: string): void {
    this.violations[rule].push(what);
  }

  /** Checks what an answer shows: only statements of this tenant and user, and none that was made after `until`. */
  examine(
    text: string,
    asked: { readonly tenant: number; readonly userId: string; readonly until?: number },
  ): number[] {
    const numbers = findMarks(text);
    this.count('answers examined');
    this.count('statements in answers', numbers.length);
    for (const number of numbers) {
      const mark = this.marks[number];
      const where = `tenant ${asked.tenant}, ${asked.userId}`;
      if (mark?.tenant !== asked.tenant || mark.userId !== asked.userId) {
        this.violate('foreign', `mark ${number} of tenant ${mark?.tenant}, ${mark?.userId} was shown to ${where}`);
      } else if (asked.until !== undefined && mark.saidAt > asked.until) {
        this.violate('anachronism', `mark ${number} was shown to ${where} as of a time before it was said`);
      }
    }
    return numbers;
  }
}
