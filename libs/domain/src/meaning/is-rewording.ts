import { NUMBER_WORDS, splitWords, stem } from '@annals/english';
import { findLostFacts } from './kept-facts.js';
import { rememberReadings } from './remember-readings.js';

/** Words that change the tone of a statement but not its meaning. */
const TONE = new Set(
  (
    'a an the is are was be been being am really very quite just actually also now currently still so much lot too ' +
    'truly absolutely simply definitely that this to of'
  ).split(' '),
);

const NEGATIONS =
  /\b(?:not|no|never|nobody|nothing|none|neither|nor|without|hardly|anymore|any more|used to|stopped|quit|gave up|former|ex)\b|n['’]t\b/iu;

const COMMON_STARTS = new Set('the a an in on at when after before since during last this that there it'.split(' '));

const NUMBERS = new RegExp(`\\d+(?:[.,:]\\d+)*|\\b(?:${NUMBER_WORDS.slice(1).join('|')})\\b`, 'giu');

/** Whether two statements have the same words in the same order, apart from words of tone. */
export function isRewording(a: string, b: string): boolean {
  return readWording(a).stems.join(' ') === readWording(b).stems.join(' ') && hasSameFacts(a, b);
}

/** "Tea over coffee" and "coffee over tea" have the same words and differ in meaning. */
export function isReordered(a: string, b: string): boolean {
  const [{ stems: first }, { stems: second }] = [readWording(a), readWording(b)];
  return first.join(' ') !== second.join(' ') && first.toSorted().join(' ') === second.toSorted().join(' ');
}

/** Whether numbers with their units, dates, names and negations of two statements agree; otherwise their meaning differs. */
export function hasSameFacts(a: string, b: string): boolean {
  const [first, second] = [readWording(a), readWording(b)];
  return (
    first.numbers === second.numbers &&
    first.names === second.names &&
    first.firstName === second.firstName &&
    first.isNegated === second.isNegated &&
    findLostFacts([a], b).length === 0 &&
    findLostFacts([b], a).length === 0
  );
}

/** What of a statement's words is compared with those of another one. */
interface Wording {
  readonly stems: readonly string[];
  readonly numbers: string;
  readonly names: string;
  readonly firstName: string;
  readonly isNegated: boolean;
}

const readWording = rememberReadings((text): Wording => {
  return {
    stems: listStems(text),
    numbers: listNumbers(text),
    names: listNames(text),
    firstName: readFirstName(text),
    isNegated: NEGATIONS.test(text),
  };
});

function listStems(text: string): string[] {
  return splitWords(text)
    .filter((word) => word !== '' && !TONE.has(word))
    .map(stem);
}

function listNumbers(text: string): string {
  return (text.match(NUMBERS) ?? []).join(' ').toLowerCase();
}

/** "Ana likes tea" and "Eva likes tea" are about two people; other words begin a sentence with a capital as well. */
function readFirstName(text: string): string {
  const first = /^\p{Lu}[\p{L}-]*(?=['’]s\b| \p{Ll})/u.exec(text.trim())?.[0].toLowerCase() ?? '';
  return COMMON_STARTS.has(first) ? '' : first;
}

/** Capitalised words that do not begin a sentence. */
function listNames(text: string): string {
  return [...text.matchAll(/(?<=\p{Ll}[^.!?\p{L}]+)\p{Lu}[\p{L}’'-]*/gu)]
    .map(([name]) => name.replace(/['’]s$/u, '').toLowerCase())
    .toSorted()
    .join(' ');
}
