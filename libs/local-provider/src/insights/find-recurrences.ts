import { analyzeTerms, findSensitiveSubjects, isLikelyEnglish, stem } from '@annals/english';
import { isContentNoun, tagClause, type Token } from '../clauses/tag-clause.js';
import type { HeardWords } from './hear-person.js';

/** See docs/reference/insights.md#insights-without-a-model. */
const MIN_MESSAGES = 3;
const MIN_DAYS = 2;
/** Share of the messages with a word in which a longer phrase with it must stand to be named instead. */
const PHRASE_SHARE = 0.75;
/** Two things that share as much of their messages are one. */
const SAME_MESSAGES = 0.6;
/** The most frequent things, of which each is compared with the others. */
const MAX_COMPARED = 50;

/** A thing that came back again and again. */
export interface Recurrence {
  /** As it is mostly written: "deadlines", "night shift", "Lena". */
  readonly phrase: string;
  /** In order of time. */
  readonly messages: readonly HeardWords[];
}

/** Words that are in conversations about anything: the talk itself, measures, parts of a day. */
const EMPTY = new Set(
  (
    'answer question message text word sentence list example version draft help thanks hello hi hey please number hour ' +
    'minute second evening morning afternoon night noon weekend holiday january february march april may june july august ' +
    'september october november december monday tuesday wednesday thursday friday saturday sunday euro dollar pound ' +
    'percent kilometre kilometer metre meter gram litre liter piece half end beginning top side problem issue reason result ' +
    'kind name use plan need want work home house talk change look go get make do take be have feel day today tomorrow ' +
    'yesterday week month year time thing lot bit way stuff people person man woman something nothing everything ok yes no ' +
    'sure great good bad new old little last next first sorry god guy bye here there love hope luck joy'
  )
    .split(' ')
    .map(stem),
);

/**
 * The things that came back most often first, each other messages; at most one for about the same messages.
 * Yields between messages. `listeners`: names of those who are spoken to, which are in every greeting.
 */
export function* findRecurrences(
  heard: readonly HeardWords[],
  listeners: readonly string[],
): Generator<void, Recurrence[]> {
  const isListener = recognizeNames(listeners);
  const mentions = new Map<string, Mention>();
  for (const words of heard) {
    yield;
    for (const [key, form] of listThings(words, isListener)) addMention(mentions, key, form, words);
  }
  const frequent = [...mentions.values()].filter(isFrequent).toSorted(compareMentions);
  const recurrences: Recurrence[] = [];
  for (const mention of frequent.slice(0, MAX_COMPARED)) {
    const named = findLonger(mention, frequent);
    if (recurrences.some(({ messages }) => overlaps(messages, named.messages))) continue;
    recurrences.push({ phrase: pickForm(named.forms), messages: named.messages });
  }
  return recurrences;
}

interface Mention {
  readonly key: string;
  readonly messages: HeardWords[];
  /** How often each form is written. */
  readonly forms: Map<string, number>;
}

function addMention(mentions: Map<string, Mention>, key: string, form: string, words: HeardWords): void {
  const mention = mentions.get(key) ?? { key, messages: [], forms: new Map<string, number>() };
  mentions.set(key, mention);
  if (mention.messages.at(-1) !== words) mention.messages.push(words);
  mention.forms.set(form, (mention.forms.get(form) ?? 0) + 1);
}

/** Nouns, and nouns with the word before them, of the sentences that reveal nothing sensitive; by their stems. */
function* listThings(
  { sentences }: HeardWords,
  isListener: (word: string) => boolean,
): Generator<readonly [key: string, form: string]> {
  for (const sentence of sentences) {
    if (!isLikelyEnglish(sentence) || findSensitiveSubjects(sentence).length > 0) continue;
    const tokens = tagClause(sentence.replace(POSSESSIVE, ''));
    for (const [at, token] of tokens.entries()) {
      if (!isThing(token) || isListener(token.text)) continue;
      const form = toForm(token);
      yield [stem(token.lower), form];
      const before = tokens[at - 1];
      if (before && before.after === ' ' && describes(before) && !isListener(before.text)) {
        const phrase = `${toForm(before)} ${form}`;
        yield [[...analyzeTerms(phrase).terms.keys()].join(' '), phrase];
      }
    }
  }
}

const MIN_SHORT_NAME = 3;

/** Recognises names and their short forms: "Mel" of "Melanie". */
function recognizeNames(names: readonly string[]): (word: string) => boolean {
  const parts = names.flatMap((name) => name.split(/\s+/u)).map((name) => name.toLowerCase());
  return (word) =>
    /^\p{Lu}/u.test(word) && word.length >= MIN_SHORT_NAME && parts.some((part) => part.startsWith(word.toLowerCase()));
}

/** "The violin’s bow" names the violin too. */
const POSSESSIVE = /(?<=\p{L})['’]s(?!\p{L})/gu;
const LETTERS = /^\p{L}[\p{L}’'-]{2,}$/u;

function isThing(token: Token): boolean {
  return LETTERS.test(token.text) && isContentNoun(token) && !EMPTY.has(stem(token.lower));
}

function describes(token: Token): boolean {
  const { tags, text, lower } = token;
  const isNaming = tags.has('Adjective') || (tags.has('Noun') && !tags.has('Pronoun') && !tags.has('Possessive'));
  return LETTERS.test(text) && isNaming && !DESCRIBES_NOTHING.has(lower) && analyzeTerms(lower).length > 0;
}

const DESCRIBES_NOTHING = new Set(
  'new old another other same last next first second third whole half own few many several great good bad awful terrible horrible lovely nice big small little more most that this these those such full'.split(
    ' ',
  ),
);

/** In lower case, but for names. */
function toForm({ text, lower, tags }: Token): string {
  return tags.has('ProperNoun') && /^\p{Lu}/u.test(text) ? text : lower;
}

function isFrequent({ messages }: Mention): boolean {
  return messages.length >= MIN_MESSAGES && new Set(messages.map(({ day }) => day)).size >= MIN_DAYS;
}

function compareMentions(a: Mention, b: Mention): number {
  return (
    b.messages.length - a.messages.length ||
    b.messages.at(-1)!.saidAt - a.messages.at(-1)!.saidAt ||
    (a.key < b.key ? -1 : 1)
  );
}

/** "Night shift" says more than "shift" where nearly all shifts are nightly. */
function findLonger(mention: Mention, frequent: readonly Mention[]): Mention {
  const longer = frequent.filter(
    ({ key, messages }) =>
      key.split(' ').includes(mention.key) && messages.length >= mention.messages.length * PHRASE_SHARE,
  );
  return longer.find(({ key }) => key !== mention.key) ?? mention;
}

function overlaps(one: readonly HeardWords[], other: readonly HeardWords[]): boolean {
  const shared = one.filter((words) => other.includes(words)).length;
  return shared / Math.min(one.length, other.length) >= SAME_MESSAGES;
}

/** The most frequent form; a plural before a singular, since several were meant. */
function pickForm(forms: ReadonlyMap<string, number>): string {
  const sorted = [...forms].toSorted(([a, x], [b, y]) => y - x || b.length - a.length || (a < b ? -1 : 1));
  return sorted[0]![0];
}
