import { splitWords, stem } from '@annals/english';
import { listSameTerms } from '../echoes/same-words.js';

/** People, by what they are to somebody. */
const PERSON_WORDS = new Set(
  (
    'sister brother mother father mom mum dad parent parents son daughter child children kid kids baby twin twins aunt uncle cousin ' +
    'nephew nephews niece nieces grandmother grandfather grandma grandpa grandparents wife husband spouse partner girlfriend ' +
    'boyfriend fiance fiancee friend friends neighbour neighbours neighbor neighbors colleague colleagues coworker boss manager ' +
    'supervisor assistant deputy intern contractor client clients customer customers landlord landlady flatmate flatmates roommate ' +
    'roommates teacher professor student students pupil doctor therapist coach trainer team crew class family everyone people ' +
    'somebody someone others dog cat dogs cats horse law'
  ).split(' '),
);

export function isPersonWord(word: string): boolean {
  return PERSON_WORDS.has(word);
}

/** Sorted, so that two statements with the same ones are equal; "husband" and "married" stand for each other. */
export function listPersonWords(text: string): readonly string[] {
  const words = splitWords(text).filter((word) => PERSON_WORDS.has(word));
  return [...new Set(words.map((word) => toRepresentative(stem(word))))].toSorted();
}

/** The word of a group of words for each other that stands for all of them. */
export function toRepresentative(term: string): string {
  return listSameTerms(term).toSorted()[0]!;
}
