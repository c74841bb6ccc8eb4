/** A predicate that says that something is not so, or not so any more. */
export interface Ending {
  /** What was so, without the negation: "play chess", "be allergic to peanuts", "playing chess". */
  readonly ended: string;
  /** `negation`: not so now. `ending`: no longer so, which presupposes that it was. */
  readonly kind: 'negation' | 'ending';
}

const ADVERB = '(?:(?:now|currently|just|really|actually|finally|recently|also|officially|already) )*';
const BE = '(?:am|is|are)';
const ANYMORE = '(?: any ?more| any longer)?';

/** In order; `ended` is what was so, after `prefix`. */
const PATTERNS: readonly {
  readonly pattern: RegExp;
  readonly prefix: string;
  readonly kind: Ending['kind'] | 'by-tail';
}[] = [
  { pattern: new RegExp(`^${ADVERB}${BE} ${ADVERB}no longer (?<ended>.+)$`, 'u'), prefix: 'be ', kind: 'ending' },
  { pattern: new RegExp(`^${ADVERB}${BE} ${ADVERB}not (?<ended>.+?)${ANYMORE}$`, 'u'), prefix: 'be ', kind: 'by-tail' },
  { pattern: new RegExp(`^${ADVERB}(?:can )?no longer (?<ended>.+)$`, 'u'), prefix: '', kind: 'ending' },
  {
    pattern: new RegExp(`^${ADVERB}(?:do|does) not ${ADVERB}(?<ended>.+?)${ANYMORE}$`, 'u'),
    prefix: '',
    kind: 'by-tail',
  },
  {
    pattern: new RegExp(`^${ADVERB}(?:can ?not) ${ADVERB}(?<ended>.+?)${ANYMORE}$`, 'u'),
    prefix: '',
    kind: 'by-tail',
  },
  {
    pattern: new RegExp(`^${ADVERB}(?:have|has) no (?<ended>.+?)(?: any ?more| any longer)$`, 'u'),
    prefix: 'have ',
    kind: 'ending',
  },
  {
    pattern: new RegExp(
      `^${ADVERB}(?:have |has )?${ADVERB}(?:stopped|quit|ceased|finished|gave up|given up) (?<ended>\\p{L}+ing\\b.*)$`,
      'u',
    ),
    prefix: '',
    kind: 'ending',
  },
  { pattern: new RegExp(`^${ADVERB}used to (?<ended>.+)$`, 'u'), prefix: '', kind: 'ending' },
];

const ENDS_ANYMORE = / any ?(?:more|longer)$/u;

/**
 * What a predicate in the present says not to be so ("is no longer allergic to peanuts", "does not smoke anymore",
 * "stopped playing chess"), in first or third person, without a final mark; null when it says that something is so.
 */
export function readEnding(predicate: string): Ending | null {
  for (const { pattern, prefix, kind } of PATTERNS) {
    const ended = pattern.exec(predicate)?.groups?.['ended'];
    if (ended === undefined) continue;
    const isEnding = kind === 'ending' || ENDS_ANYMORE.test(predicate);
    return { ended: `${prefix}${ended.replace(ENDS_ANYMORE, '')}`, kind: isEnding ? 'ending' : 'negation' };
  }
  return null;
}
