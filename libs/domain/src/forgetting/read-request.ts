import { PLACEHOLDER_PATTERN } from '../redaction/placeholders.js';
import { foldIdentifier } from './fold-word.js';
import { readTokens, type Token } from './read-tokens.js';

/** What somebody asks to forget. */
export type ForgetRequest =
  /** That something is so. `said`: in the first person. */
  | { readonly kind: 'statement'; readonly said: string }
  /** A number or code; `id` is its normal form, `noun` what it is the number of, in its normal form. */
  | { readonly kind: 'identifier'; readonly id: string; readonly noun: string | null }
  /** A personal value, which is stored as this placeholder. */
  | { readonly kind: 'placeholder'; readonly placeholder: string }
  /** Somebody by what they are to the user; `name` is empty where none is given. */
  | { readonly kind: 'relation'; readonly relation: readonly Token[]; readonly name: readonly Token[] }
  /** Whoever or whatever has this name; all words of it, in order. */
  | { readonly kind: 'name'; readonly name: readonly Token[] };

const OPENING =
  /^\s*(?:(?:please|now|ok(?:ay)?|hey|hi|could you|can you|would you|will you|i want you to|i would like you to|i'd like you to|you should)[\s,]+)*(?:please\s+)?(?:(?:forget|delete|remove|erase|drop|clear)\b[\s,:]*)?/iu;
const WHOLE =
  /^(?:(?:the fact|what i (?:said|told you)|what you know|the part where i said)\s+)?(?<that>that\s+)?(?:(?:absolutely\s+)?(?:everything|anything|all|whatever|what)\s+)?(?:(?:(?:that|which)\s+)?(?:(?:you|we|i)\s+(?:know|have|said|say|told you|discussed|talked|remember|stored|mentioned)\s+)?(?:about|of|on|belongs? to|belonging to|related to|relates? to|concerning|concerns?|to do with|has to do with|from|regarding)\s+)?/iu;
const FIRST_PERSON = /^(?:i|we)(?:['’](?:m|ve|d|ll|re))?\s/iu;
const STATEMENT_OF_MINE =
  /^(?:my|our)\s(?:\S+\s){1,6}?(?:is|are|was|were|has|have|had|isn['’]t|likes?|loves?|hates?|lives?|works?|plays?|owns?|studies|drives?)\s/iu;
const END = /[\s.!?"”’]+$/u;

/** What numbers are of. Of another word before a number, nobody can tell whether it is its kind. */
export const NOUNS: ReadonlySet<string> = new Set(
  (
    'account apartment application appointment asset bay bill boarding booking box building bus card case certificate claim code confirmation ' +
    'contract coupon customer delivery device document employee event exam file flight form gate gift house incident ' +
    'insurance invoice issue item job journey key licence license lease letter loan locker lot matter meeting member ' +
    'membership model mortgage offer order package parcel part pass passport patient payment permit pin pitch plan plate ' +
    'platform policy prescription procedure product project purchase quote rail receipt record refund registration ' +
    'rental repair report request reservation return room route row seat serial service shipment sample slot statement stay ' +
    'subscription task tax ticket timesheet tracking train transaction transfer trip unit vehicle visa visit voucher warranty'
  ).split(' '),
);

/** What belongs to a number without being its kind: "order number 4711". */
const FILLERS: ReadonlySet<string> = new Set(
  'number no nr num id ref reference code the my our a an is was'.split(' '),
);
const DETERMINERS: ReadonlySet<string> = new Set('my our the a an this that his her their your'.split(' '));
const POSSESSIVES: ReadonlySet<string> = new Set(['my', 'our']);
const TITLES: ReadonlySet<string> = new Set(
  'mr mrs ms miss mx dr prof professor doctor sir madam madame herr frau fraulein senor senora sr sra srta dona don doutor dra doutora monsieur mme mlle'.split(
    ' ',
  ),
);

export const isFiller = ({ forms }: Pick<Token, 'forms'>) => forms.some((form) => FILLERS.has(form));
export const isTitle = ({ forms }: Pick<Token, 'forms'>) => forms.some((form) => TITLES.has(form));

/** The singular of a noun in its normal form: "orders" are "order". */
export const foldNoun = ({ forms }: Pick<Token, 'forms'>) => (forms[0] ?? '').replace(/(?<=\p{L}{3})s$/u, '');

/** Null when the text names nothing. `text` has placeholders in the place of personal values, as what is stored. */
export function readForgetRequest(text: string): ForgetRequest | null {
  const asked = text.replace(OPENING, '').replace(END, '');
  const whole = WHOLE.exec(asked)!;
  const rest = asked.slice(whole[0].length).trim();
  if (rest === '') return null;
  const [placeholder] = rest.match(PLACEHOLDER_PATTERN) ?? [];
  if (placeholder !== undefined) return { kind: 'placeholder', placeholder };
  const isClause = whole.groups?.['that'] !== undefined && / \S+ /u.test(` ${rest} `) && /\s\S+\s\S/u.test(rest);
  if (FIRST_PERSON.test(rest) || isClause || STATEMENT_OF_MINE.test(`${rest} `))
    return { kind: 'statement', said: rest };
  const tokens = readTokens(rest);
  return readIdentifier(tokens) ?? readSubject(tokens);
}

/** Parts of a code, as people write it: beside the digits, joined by a sign or short. */
const JOINS = /^[-–—_/.#:]$|^\s$/u;
const MAX_CODE_LETTERS = 3;

function readIdentifier(tokens: readonly Token[]): ForgetRequest | null {
  const at = tokens.findIndex(({ hasDigit }) => hasDigit);
  if (at < 0) return null;
  const isPart = (token: Token | undefined, separator: string) =>
    token !== undefined &&
    JOINS.test(separator) &&
    (separator.trim() !== '' ||
      token.hasDigit ||
      (token.raw.length <= MAX_CODE_LETTERS && !isFiller(token) && !NOUNS.has(foldNoun(token))));
  let [from, to] = [at, at];
  while (isPart(tokens[from - 1], tokens[from]!.before)) from -= 1;
  while (isPart(tokens[to + 1], tokens[to + 1]?.before ?? '')) to += 1;
  const id = tokens
    .slice(from, to + 1)
    .map(({ raw }) => foldIdentifier(raw))
    .join('');
  const noun = tokens.slice(0, from).findLast((token) => !isFiller(token));
  return { kind: 'identifier', id, noun: noun ? foldNoun(noun) : null };
}

function readSubject(tokens: readonly Token[]): ForgetRequest | null {
  const [first] = tokens;
  const isMine = first !== undefined && POSSESSIVES.has(first.forms[0] ?? '');
  const from = tokens.findIndex((token) => !isTitle(token) && !token.forms.some((form) => DETERMINERS.has(form)));
  if (from < 0) return null;
  const named = tokens.slice(from);
  if (!isMine) return { kind: 'name', name: named.filter((token) => !isTitle(token)) };
  // "My ex Tom", "my best friend's dog": what is small behind "my" says what it is to the user.
  const capital = named.findIndex(({ isName }) => isName);
  const relation = capital < 0 ? named : named.slice(0, capital);
  const name = capital < 0 ? [] : named.slice(capital).filter((token) => !isTitle(token));
  return relation.length === 0 ? { kind: 'name', name } : { kind: 'relation', relation, name };
}
