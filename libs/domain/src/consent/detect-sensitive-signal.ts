import type { SensitiveField } from '@annals/contracts';
import { REQUEST_TAIL, STATEMENT_TAIL } from './list-own-clauses.js';
import { parseField } from './parse-field.js';
import type { DetectedSignal } from './types.js';

/** The beginning of a clause that is followed by a field's value. */
interface Opening {
  readonly field: SensitiveField;
  readonly pattern: RegExp;
}

const I_AM = "i(?:['’]m| am)";
const CURRENTLY = '(?:now |currently |still |also )?';

const STATEMENTS: readonly Opening[] = [
  {
    field: 'preferred_name',
    pattern: /^my (?:first |full |given |preferred |nick)?name(?:['’]s| is)(?: actually| now)? /iu,
  },
  { field: 'preferred_name', pattern: /^i go by (?:the name )?/iu },
  {
    field: 'preferred_name',
    pattern: /^(?:people|everyone|everybody|(?:all |most of )?my friends|most people) calls? me /iu,
  },
  { field: 'preferred_name', pattern: new RegExp(`^${I_AM} called `, 'iu') },
  { field: 'pronouns', pattern: /^my pronouns are(?: now)? /iu },
  { field: 'pronouns', pattern: /^i (?:use|go by|prefer) (?=\S+\s*\/)/iu },
  { field: 'city', pattern: new RegExp(`^i ${CURRENTLY}live in `, 'iu') },
  { field: 'city', pattern: new RegExp(`^${I_AM} ${CURRENTLY}(?:living|based) in `, 'iu') },
  { field: 'city', pattern: /^i(?:['’]ve| have)? (?:just |recently |finally )?moved (?:back |over )?to /iu },
  { field: 'city', pattern: /^my (?:city|home ?town) is /iu },
  { field: 'language', pattern: /^i (?:mostly |mainly |usually )?speak /iu },
  { field: 'language', pattern: /^my (?:native |first |mother |preferred )?(?:language|tongue) is /iu },
  { field: 'language', pattern: new RegExp(`^${I_AM} a native `, 'iu') },
  { field: 'language', pattern: /^please (?:answer|reply|respond|write|speak|talk)(?: to me| back)? in /iu },
];

const DENIALS: readonly Opening[] = [
  { field: 'preferred_name', pattern: /^my (?:first |preferred )?name(?:['’]s not| is not| isn['’]t) /iu },
  { field: 'preferred_name', pattern: /^(?:i no longer|i do not|i don['’]t) go by /iu },
  { field: 'pronouns', pattern: /^my pronouns (?:are not|aren['’]t|are no longer) /iu },
  { field: 'pronouns', pattern: /^i (?:no longer|do not|don['’]t) (?:use|go by) (?=\S+\s*\/)/iu },
  { field: 'city', pattern: /^i (?:no longer|do not|don['’]t|never) (?:live|lived) in /iu },
  { field: 'city', pattern: new RegExp(`^${I_AM} (?:no longer|not) (?:living|based) in `, 'iu') },
  { field: 'city', pattern: /^i(?:['’]ve| have)? (?:just )?(?:moved (?:away from|out of)|left) /iu },
  { field: 'language', pattern: /^i (?:no longer|do not|don['’]t|can['’]t) speak /iu },
];

const POLITE =
  "(?:please |just |(?:and )?you (?:can|may|could|should) |feel free to |from now on,? |i(?:['’]d| would) (?:like|prefer|love) " +
  '(?:for )?you to |i want you to |(?:can|could|would|will) you )*';

/** Requests to use a value: they are the consent. */
const REQUESTS: readonly Opening[] = [
  { field: 'preferred_name', pattern: new RegExp(`^${POLITE}(?:call|address) me (?:as |by the name )?`, 'iu') },
  {
    field: 'preferred_name',
    pattern: /^i(?:['’]d| would)? (?:rather|prefer|like|want)(?: to)? be (?:called|addressed as) /iu,
  },
  {
    field: 'preferred_name',
    pattern: new RegExp(`^${POLITE}(?:use|set|save|store) (?:my (?:preferred )?name (?:as|to) |the name )`, 'iu'),
  },
  { field: 'pronouns', pattern: new RegExp(`^${POLITE}use (?=(?:the pronouns? )?\\S+\\s*/)`, 'iu') },
  { field: 'pronouns', pattern: new RegExp(`^${POLITE}refer to me (?:as|with|by|using) `, 'iu') },
  { field: 'pronouns', pattern: new RegExp(`^${POLITE}(?:set|save|store) my pronouns (?:as|to) `, 'iu') },
  {
    field: 'city',
    pattern: new RegExp(
      `^${POLITE}(?:use|set|save|store|remember) my (?:city|location|home ?town) (?:as|to|is) `,
      'iu',
    ),
  },
  { field: 'language', pattern: new RegExp(`^${POLITE}(?:use|set|save|store) my language (?:as|to) `, 'iu') },
];
/** May be meant for a single answer, unless it says that all are meant. */
const LANGUAGE_REQUEST: Opening = {
  field: 'language',
  pattern: new RegExp(
    `^${POLITE}(?:always )?(?:answer|reply|respond|write|speak|talk)(?: to me| back)?(?: always)? in `,
    'iu',
  ),
};
const FOR_GOOD = /\b(?:from now on|always|in (?:the )?future|going forward)\b/iu;

const REMEMBER = new RegExp(`^${POLITE}(?:remember|save|store|note|keep in mind)(?: that)? (?=i\\b|i['’]|my\\b)`, 'iu');
const ASKS = /^(?:please )?(?:can|could|would|will) you\b/iu;

const REFUSES = /^(?:please )?(?:do not|don['’]t|never|stop|quit)(?: ever)? /iu;
const GERUNDS: readonly [RegExp, string][] = [
  [/^calling\b/iu, 'call'],
  [/^addressing\b/iu, 'address'],
  [/^using\b/iu, 'use'],
  [/^referring\b/iu, 'refer'],
  [/^(answering|replying|responding|writing|speaking|talking)\b/iu, 'answer'],
];
const FORGET = new RegExp(
  `^${POLITE}(?:forget|delete|remove|erase|(?:do not|don['’]t) (?:remember|save|store|keep|use))(?: that)? `,
  'iu',
);
/** Endings of a denial that do not change its meaning. */
const NO_LONGER = /(?:,?\s+(?:any ?more|any longer|again|ever|please|from now on|thanks|thank you))+$/iu;
const NAMED_FIELDS: readonly [RegExp, SensitiveField][] = [
  [/^(?:my (?:preferred )?name|what i['’]m called)$/iu, 'preferred_name'],
  [/^my pronouns$/iu, 'pronouns'],
  [/^(?:my (?:city|location|home ?town)|where i live)$/iu, 'city'],
  [/^(?:my language|what language i speak|which language i speak)$/iu, 'language'],
];

/** The signal of a clause about name, pronouns, city or language, if any. Every rule must match the whole clause. */
export function detectSensitiveSignal(clause: string, isQuestion: boolean): DetectedSignal | null {
  if (isQuestion) return ASKS.test(clause) ? (detectRequest(clause) ?? detectRememberRequest(clause)) : null;
  return (
    detectRetraction(clause) ??
    detectRememberRequest(clause) ??
    detectRequest(clause) ??
    matchOpenings(clause, DENIALS, 'denial', STATEMENT_TAIL) ??
    detectStatement(clause)
  );
}

export function detectStatement(clause: string): DetectedSignal | null {
  return matchOpenings(clause, STATEMENTS, 'statement', STATEMENT_TAIL);
}

function detectRequest(clause: string): DetectedSignal | null {
  const language = FOR_GOOD.test(clause) ? [LANGUAGE_REQUEST] : [];
  const found = matchOpenings(clause, [...REQUESTS, ...language], 'consent', REQUEST_TAIL);
  return found ?? detectLowercaseName(clause);
}

/** "yes, call me ana": not recognisable as a name, so it counts only if the value is known already. */
function detectLowercaseName(clause: string): DetectedSignal | null {
  const [opening] = REQUESTS;
  const rest = stripOpening(opening!, clause);
  const [, value, after] = (rest !== null && /^(\p{Ll}[\p{L}'’-]{1,30})\b(.*)$/u.exec(rest)) || [];
  if (value === undefined || !endsWith(REQUEST_TAIL, after!)) return null;
  return { field: 'preferred_name', value, kind: 'acknowledgement' };
}

function detectRememberRequest(clause: string): DetectedSignal | null {
  const prefix = REMEMBER.exec(clause);
  if (!prefix) return null;
  const found = detectStatement(clause.slice(prefix[0].length));
  return found && { ...found, kind: 'consent' };
}

function detectRetraction(clause: string): DetectedSignal | null {
  const forget = FORGET.exec(clause);
  if (forget) {
    const what = clause
      .slice(forget[0].length)
      .replace(/[\s.!]+$/u, '')
      .replace(NO_LONGER, '');
    const named = NAMED_FIELDS.find(([pattern]) => pattern.test(what));
    if (named) return { field: named[1], value: null, kind: 'retraction' };
    const told = detectStatement(what);
    if (told) return { ...told, kind: 'retraction' };
  }
  const refuses = REFUSES.exec(clause);
  if (!refuses) return null;
  let request = clause.slice(refuses[0].length);
  for (const [gerund, verb] of GERUNDS) request = request.replace(gerund, verb);
  return matchOpenings(request, [...REQUESTS, LANGUAGE_REQUEST], 'retraction', REQUEST_TAIL);
}

function matchOpenings(
  clause: string,
  openings: readonly Opening[],
  kind: DetectedSignal['kind'],
  tail: RegExp,
): DetectedSignal | null {
  for (const opening of openings) {
    const behind = stripOpening(opening, clause);
    const found = behind === null ? null : parseField(opening.field, behind);
    if (found && endsWith(tail, found.rest)) return { field: opening.field, value: found.value, kind };
  }
  return null;
}

function stripOpening({ pattern }: Opening, clause: string): string | null {
  const opened = pattern.exec(clause);
  return opened ? clause.slice(opened[0].length) : null;
}

function endsWith(tail: RegExp, rest: string): boolean {
  return tail.test(rest.replace(/^[.!]+/, '').trim());
}
