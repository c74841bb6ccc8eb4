import type { SubjectName } from '@annals/llm-core';
import type { Clause } from '../clauses/read-subject.js';
import { joinTokens, tagClause, type Token } from '../clauses/tag-clause.js';
import { conjugateThirdPerson, isPastForm } from './verbs.js';

/**
 * A clause as somebody else would say it, without final mark: "I like my bike" → "Ana likes Ana's bike". No pronoun
 * stands for the person (docs/reference/writing-constraints.md#no-pronoun-for-the-user): read alone, "their" could be
 * anybody's. `predicate` are the tagged words of the clause's predicate.
 */
export function toThirdPerson(clause: Clause, predicate: readonly Token[], name: SubjectName, past: boolean): string {
  const subject = renderSubject(clause, name);
  const spoken = replacePronouns(predicate, clause, name, past);
  const agreed = clause.kind === 'self' ? conjugateMainVerbs(spoken, past) : spoken;
  return `${subject} ${joinTokens(agreed)}`.replace(/\s+/g, ' ').trim();
}

function renderSubject({ kind, phrase }: Clause, name: SubjectName): string {
  switch (kind) {
    case 'self':
      return name.initial;
    case 'group':
      return `${name.initial}${phrase.includes(',') ? ',' : ' and'} ${renderCompanions(phrase, name)}`;
    case 'own':
      return capitalize(phrase.replace(/^my\b/i, name.possessive).replace(/\bmy\b/gi, name.possessive));
  }
}

function renderCompanions(phrase: string, { possessive }: SubjectName): string {
  return phrase ? phrase.replace(/\bmy\b/gi, possessive).replace(',', ' and') : 'others';
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function replacePronouns(tokens: readonly Token[], clause: Clause, name: SubjectName, past: boolean): Token[] {
  const own = clause.kind === 'own';
  const words: Readonly<Record<string, string>> = {
    my: name.possessive,
    mine: name.possessive,
    me: name.inner,
    myself: own ? name.inner : 'themself',
    us: `${name.inner} and others`,
    our: name.possessive,
    ours: name.possessive,
    ourselves: 'themselves',
    we: `${name.inner} and others`,
    i: name.inner,
  };
  const replaced: Token[] = [];
  tokens.forEach((token, index) => {
    // "us-1" is the name of a machine.
    const word = token.after.startsWith('-') ? undefined : words[token.lower];
    if (token.lower === 'am' && tokens[index - 1]?.lower === 'i') replaced.push({ ...token, text: 'is' });
    else if (word) replaced.push({ ...token, text: word });
    else if (followsInnerI(tokens, index)) replaced.push(agree(token, past));
    else replaced.push(token);
  });
  return replaced;
}

/** True for the verb of a later "I" in the same clause ("… because I work at night"). */
function followsInnerI(tokens: readonly Token[], index: number): boolean {
  let before = index - 1;
  while (before > 0 && isAdverb(tokens[before]!)) before--;
  return tokens[before]?.lower === 'i' && !isAdverb(tokens[index]!);
}

function conjugateMainVerbs(tokens: readonly Token[], past: boolean): Token[] {
  const main = tokens.findIndex((token) => !isAdverb(token));
  const verb = tokens[main];
  if (!verb) return [...tokens];
  const agreed = agree(verb, past);
  const result = tokens.map((token, index) => (index === main ? agreed : token));
  if (agreed === verb) return result;
  const takesList = TAKES_LIST.has(verb.lower);
  return result.map((token, index) =>
    index > main && isCoordinated(tokens, main, index) && (!takesList || ONLY_VERBS.has(token.lower))
      ? agree(token, past)
      : token,
  );
}

// "I like soup and fish": after these, what follows "and" is more often a thing than a second verb.
const TAKES_LIST = new Set(
  'like love hate prefer enjoy have need want eat drink am collect play do know adore dislike avoid own'.split(' '),
);

const ONLY_VERBS = new Set('have live want need am do go love like hate prefer enjoy own speak'.split(' '));

/** "I cook and bake every day": a second verb under the same subject, with no infinitive opened in between. */
function isCoordinated(tokens: readonly Token[], main: number, index: number): boolean {
  const token = tokens[index]!;
  const before = tokens[index - 1]!;
  const opened = tokens
    .slice(main + 1, index)
    .some(({ lower }) => lower === 'to' || lower === 'can' || lower === 'will');
  if (opened || !['and', 'or', 'but', 'then'].includes(before.lower) || index === tokens.length - 1) return false;
  return token.tags.has('Infinitive') || token.tags.has('PresentTense')
    ? !token.tags.has('Gerund') && !token.lower.endsWith('s')
    : false;
}

function agree(token: Token, past: boolean): Token {
  if (isPastForm(token, past) || token.tags.has('Gerund')) return token;
  const text = conjugateThirdPerson(token.text);
  return text === token.text ? token : { ...token, text };
}

export function isAdverb(token: Token): boolean {
  return token.tags.has('Adverb') || ADVERBS.has(token.lower);
}

const ADVERBS = new Set(
  'also always often sometimes never currently now already finally recently still just only even once usually really both all too not'.split(
    ' ',
  ),
);

/** The tagged words of a predicate. The subject is tagged along, since a verb is told by what stands before it. */
export function tagPredicate(predicate: string): Token[] {
  return tagClause(`I ${predicate}`).slice(1);
}
