import { splitSentences, splitWords, STOP_WORDS } from '@annals/english';
import { addsNothing, isNegation } from '../echoes/read-statement.js';
import { isAdverb, type TurnSpeaker } from '../echoes/read-turn.js';
import { listSameTerms } from '../echoes/same-words.js';
import { toIndexTerm } from '../lexical/to-index-term.js';
import { mayContain } from './fold-word.js';
import { readTokens, type Token } from './read-tokens.js';
import { listSentences } from './list-sentences.js';
import { type Mentions, NO_MENTIONS, type Subject } from './subject.js';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const FIRST_PERSON = wordSet('i im ive id ill me my mine myself we us our ours');
/** Who says or has something, by who speaks; as words without apostrophes. */
const SUBJECTS = {
  own: wordSet('i im ive id ill we weve'),
  other: wordSet('you youre youve youd'),
  memory: wordSet('user'),
};
const OWNERS = { own: wordSet('my our'), other: wordSet('your'), memory: wordSet('users') };
/** Who is somebody else, or has what is spoken of. */
const SOMEBODY_ELSE = wordSet(
  'im ive id ill weve youre youve youd hes shes theyre he she they it his her their its who my our your users user you i we',
);
/** In tokens: how far whom a statement is about may stand before its first word of weight. */
const SUBJECT_REACH = 6;
const OWNER_REACH = 3;

interface Term {
  /** Words, any of which says it. */
  readonly same: ReadonlySet<string>;
  readonly isValue: boolean;
}

/**
 * A statement of the user's, recognised where a sentence says at least as much: all its names, numbers and other words
 * of weight, of the same person and equally affirmed or denied (docs/reference/forgetting.md#statements). Null when it
 * says too little to be recognised.
 */
export function readStatementSubject(said: string): Subject | null {
  const terms = readTerms(said);
  if (terms.length === 0) return null;
  const words = splitWords(said);
  const [isNegated, isOfUser] = [words.some(isNegation), words.some((word) => FIRST_PERSON.has(word))];
  const isOwned = /^\s*(?:my|our)\b/iu.test(said);
  const values = terms.filter(({ isValue }) => isValue);
  return {
    findMentions: ({ text, speaker }) => {
      if (
        !values.every(({ same }) => mayContainWord(text, same)) ||
        !hasAll(text, values.length > 0 ? values : terms)
      ) {
        return NO_MENTIONS;
      }
      const sure = [];
      let mentionsValue = false;
      for (const { start, end } of listSentences(text)) {
        const sentence = text.slice(start, end);
        const isSaid =
          hasAll(sentence, terms) &&
          !sentence.includes('?') &&
          splitWords(sentence).some(isNegation) === isNegated &&
          (!isOfUser || isAbout(sentence, speaker, terms[0]!, isOwned));
        if (isSaid) sure.push({ start, end });
        else if (values.length > 0 && hasAll(sentence, values)) mentionsValue = true;
      }
      return { sure, other: mentionsValue ? 'other_subject' : null } satisfies Mentions;
    },
  };
}

function hasAll(text: string, terms: readonly Term[]): boolean {
  const words = new Set(splitWords(text).flatMap((word) => [word, toIndexTerm(word)]));
  return terms.every(({ same }) => [...same].some((word) => words.has(word)));
}

/** False only when it surely has none of these. */
function mayContainWord(text: string, words: ReadonlySet<string>): boolean {
  const plain = [...words].filter((word) => /^[a-z0-9]+$/u.test(word));
  return plain.length < words.size || mayContain(text, plain);
}

function readTerms(said: string): Term[] {
  const names = new Set(
    readTokens(said).flatMap(({ raw, isName, isFirst, hasDigit }) =>
      hasDigit || (isName && !isFirst && raw !== 'I') ? splitWords(raw) : [],
    ),
  );
  return splitSentences(said)
    .flatMap(splitWords)
    .filter(
      (word) =>
        !STOP_WORDS.has(word) && !addsNothing(word) && !isNegation(word) && !isAdverb(word) && !FIRST_PERSON.has(word),
    )
    .map((word) =>
      names.has(word)
        ? { same: new Set([word]), isValue: true }
        : { same: new Set(listSameTerms(toIndexTerm(word))), isValue: false },
    );
}

/**
 * Whether a sentence says it of the user, by who speaks: the nearest person before the first word of weight is the user
 * ("I currently live"), or it is the user's ("my dog"). Not "my aunt lives", and not "Ben and my aunt".
 */
function isAbout(sentence: string, speaker: TurnSpeaker, first: Term, isOwned: boolean): boolean {
  if (speaker.is === 'other') return false;
  const by = speaker.is === 'assistant' ? 'other' : speaker.is === 'nobody' ? 'memory' : 'own';
  const persons = (isOwned ? OWNERS : SUBJECTS)[by];
  const tokens = readTokens(sentence);
  const plain = tokens.map(({ raw }) => raw.toLowerCase().replace(/['’ʼ]/gu, ''));
  return tokens.some(({ raw }, at) => {
    if (!splitWords(raw).some((word) => first.same.has(word) || first.same.has(toIndexTerm(word)))) return false;
    const before = plain.slice(Math.max(0, at - (isOwned ? OWNER_REACH : SUBJECT_REACH)), at).toReversed();
    const person = before.find((word, back) => SOMEBODY_ELSE.has(word) || isNamed(tokens[at - 1 - back]!));
    return person !== undefined && persons.has(person);
  });
}

const isNamed = ({ isName, isFirst, raw }: Token) => isName && !isFirst && raw !== 'I';
