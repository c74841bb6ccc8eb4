import nlp from 'compromise/two';

/** A word of a clause with what compromise knows about it; `before` and `after` are the characters around it. */
export interface Token {
  before: string;
  text: string;
  after: string;
  lower: string;
  tags: ReadonlySet<string>;
}

interface Term {
  pre: string;
  text: string;
  post: string;
  normal: string;
  tags: Set<string>;
}

/**
 * Tags the words of one clause. Only the word-level stages run: the library's pattern stage is three quarters of its
 * time, and what it would add is decided by the clause rules here.
 */
export function tagClause(clause: string): Token[] {
  const view = nlp.tokenize(clause);
  view.compute(['lexicon', 'preTagger']);
  const sentences = (view as unknown as { document: Term[][] }).document;
  return sentences.flat().map((term) => ({
    before: term.pre,
    text: term.text,
    after: term.post,
    lower: term.text.toLowerCase(),
    tags: term.tags,
  }));
}

export function joinTokens(tokens: readonly Token[]): string {
  return tokens.map((token) => token.before + token.text + token.after).join('');
}

const VAGUE = new Set(
  `thing things stuff lot lots bit bits way ways time times something everything anything nothing someone everyone anyone
  one ones kind kinds sort day moment moments while part parts point idea ideas case fact deal ton tons bunch couple
  place places people person others life world news idea try blast fun feeling feelings vibe vibes progress chance best break breaks step steps today yesterday tomorrow week month year ago back`.split(
    /\s+/,
  ),
);

/** True when a word names something in particular: a noun that is not a pronoun or a word such as "thing". */
export function isContentNoun(token: Token): boolean {
  const { tags } = token;
  if (tags.has('Pronoun') || tags.has('Possessive') || VAGUE.has(token.lower)) return false;
  return tags.has('Noun') || tags.has('ProperNoun') || tags.has('Gerund') || tags.has('Acronym');
}
