/** Lower-case words within a name. */
const PARTICLES = new Set(
  'de da do dos das di del della la le van von der den ten bin ibn al el y am an of upon sur'.split(' '),
);
const NAME_WORD = /^(?:\p{Lu}[\p{L}\p{M}]*(?:['’.-][\p{L}\p{M}]+)*\.?|[\p{Lo}\p{M}]+)$/u;
const MAX_NAME_WORDS = 4;

/** Capitalised words that may follow "call me" or "live in" and are no names. */
const NO_NAMES = new Set(
  (
    'I He She They It We You Me Back Later Maybe Tomorrow Today Tonight Now Soon Again Anytime Monday Tuesday Wednesday ' +
    'Thursday Friday Saturday Sunday January February March April May June July August September October November ' +
    'December Please Yes No Not Never Sometimes A An The My Your His Her Their Our This That When If Apartment Flat Room'
  ).split(' '),
);

/** Parses the proper name at the beginning of a text, and the rest; null when there is none. */
export function parseProperName(text: string): { value: string; rest: string } | null {
  const words = text.trim().split(/\s+/);
  const taken: string[] = [];
  let rest = '';
  for (const [index, word] of words.entries()) {
    const [, bare = '', punctuation = ''] = /^(.*?)([,:)–—-]*)$/u.exec(word) ?? [];
    const next = words[index + 1];
    const isPart =
      NAME_WORD.test(bare) ||
      (taken.length > 0 && PARTICLES.has(bare) && next !== undefined && NAME_WORD.test(strip(next)));
    if (!isPart || taken.length === MAX_NAME_WORDS) {
      rest = words.slice(index).join(' ');
      break;
    }
    taken.push(bare);
    if (punctuation !== '') {
      rest = [punctuation, ...words.slice(index + 1)].join(' ');
      break;
    }
  }
  if (taken.length === 0 || NO_NAMES.has(taken[0]!)) return null;
  return { value: taken.join(' '), rest: rest.trim() };
}

function strip(word: string): string {
  return word.replace(/[,:)–—-]+$/u, '');
}
