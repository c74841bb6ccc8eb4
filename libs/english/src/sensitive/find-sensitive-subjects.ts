import { FAITH_WORDS } from './faith-words.js';
import { HEALTH_WORDS } from './health-words.js';
import { ORIGIN_WORDS } from './origin-words.js';
import { POLITICS_WORDS } from './politics-words.js';
import { SEXUALITY_WORDS } from './sexuality-words.js';
import type { SubjectWords } from './subject-words.js';

/** Of people, what is nobody's to infer. */
export const SENSITIVE_SUBJECTS = ['health', 'faith', 'politics', 'sexuality', 'origin'] as const;
export type SensitiveSubject = (typeof SENSITIVE_SUBJECTS)[number];

const SUBJECT_WORDS: Record<SensitiveSubject, SubjectWords> = {
  health: HEALTH_WORDS,
  faith: FAITH_WORDS,
  politics: POLITICS_WORDS,
  sexuality: SEXUALITY_WORDS,
  origin: ORIGIN_WORDS,
};

const READERS = SENSITIVE_SUBJECTS.map((subject) => {
  const { harmless, words, names } = SUBJECT_WORDS[subject];
  return { subject, harmless: compile(harmless, 'giu'), words: compile(words, 'iu'), names: compile(names, 'u') };
});

/**
 * The sensitive subjects that an English text reveals about a person, in the order of `SENSITIVE_SUBJECTS`; empty for
 * idioms with the same words ("sick of meetings", "votes on the logo"). Made for texts of a few sentences.
 */
export function findSensitiveSubjects(text: string): SensitiveSubject[] {
  const plain = text.normalize('NFKC').replace(/\s+/gu, ' ');
  return READERS.filter(({ harmless, words, names }) => {
    const rest = plain.replace(harmless, '…');
    return words.test(rest) || names.test(rest);
  }).map(({ subject }) => subject);
}

function compile(sources: readonly string[], flags: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, flags);
}
