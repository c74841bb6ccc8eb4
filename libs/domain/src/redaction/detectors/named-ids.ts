import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';
import { isNhsNumber } from './national-id-checks.js';
import { isValidAs, type StandardId } from './standard-ids.js';

interface NamedId {
  /** How the id is called; letters and digits around the name are ruled out. */
  readonly names: string;
  /** The id directly after its name. */
  readonly shape: RegExp;
  /** The standards of which one accepts the id, or a check of our own; none if the id has no check digit. */
  readonly checks?: readonly StandardId[] | ((id: string) => boolean);
}

const END = String.raw`(?![\p{L}\p{N}]|[.,-]\d)`;
const shape = (pattern: string, flags = 'uy') => new RegExp(pattern + END, flags);
const DIGITS_8_TO_15 = shape(String.raw`\d(?:[ ./-]?\d){7,14}`);
const DOCUMENT = shape(String.raw`(?=(?:[A-Z]{0,6}\d){2})[A-Z0-9]{6,10}|\d{2} ?\d{2} ?\d{6}`);
const TEN_DIGITS = shape(String.raw`\d{3}[ -]?\d{3}[ -]?\d{4}|\d{5} ?\d{5}`);
const NINE_DIGITS = shape(String.raw`\d{3}[ .-]?\d{3}[ .-]?\d{3}`);
const ELEVEN_DIGITS = shape(String.raw`\d{6}[ -]?\d{5}|\d{11}`);

/** Ids that ordinary numbers look like, and that are therefore only recognised directly after their name. */
const NAMED_IDS: readonly NamedId[] = [
  {
    names:
      'passport|passeport|pasaporte|passaporto|passaporte|paspoort(?:nummer)?|reisepass|pass(?:port)?nummer|pass-?nr|pas(?:zport|sinumero)|паспорт|护照|護照|パスポート|여권',
    shape: DOCUMENT,
  },
  {
    names: `personalausweis(?:nummer)?|identity card|id card|id-karte|carte d.identité|carta d.identità|documento de identidad|dowód osobisty`,
    shape: DOCUMENT,
  },
  {
    names:
      'driv(?:er.?s?|ing) licen[cs]e|führerschein(?:nummer)?|permis de conduire|patente di guida|rijbewijs(?:nummer)?|carn[eé]t? de conducir|körkort',
    shape: shape(String.raw`(?=(?:[A-Z-]{0,5}\d){5})[A-Z0-9-]{6,18}`),
  },
  { names: 'a-number|alien (?:registration )?number|uscis number', shape: shape(String.raw`A?-?\d{8,9}`) },
  { names: 'nhs', shape: TEN_DIGITS, checks: isNhsNumber },
  {
    names: 'medicare',
    shape: shape(String.raw`[2-6]\d{3} ?\d{5} ?\d|[1-9][A-Z][A-Z0-9]\d-?[A-Z][A-Z0-9]\d-?[A-Z]{2}\d{2}`),
  },
  { names: 'itin|individual taxpayer', shape: shape(String.raw`9\d{2}[ -]?\d{2}[ -]?\d{4}`) },
  { names: 'social|ssn', shape: shape(String.raw`\d{3}[ -]?\d{2}[ -]?\d{4}`), checks: ['us'] },
  {
    names: 'svnr|sv-(?:nr|nummer)|(?:sozial)?versicherungsnummer|rentenversicherungsnummer',
    shape: shape(String.raw`\d{4} ?\d{6}|\d{2} ?\d{6} ?[A-Z] ?\d{3}`),
    checks: ['at', 'deSocial'],
  },
  {
    names: 'rijksregister(?:nummer)?|numéro national|registre national|insz|niss',
    shape: shape(String.raw`\d{2}[. ]?\d{2}[. ]?\d{2}[- ]?\d{3}[. ]?\d{2}`),
    checks: ['be'],
  },
  { names: 'cpr(?:-?(?:nr|nummer))?|personnummer', shape: shape(String.raw`[0-3]\d[01]\d{3}-?\d{4}`) },
  { names: 'fødselsnummer|personnummer|fnr|d-nummer', shape: ELEVEN_DIGITS, checks: ['no'] },
  { names: 'tfn|tax file', shape: shape(String.raw`\d{3} ?\d{3} ?\d{2,3}`), checks: ['au'] },
  { names: 'sin|social insurance', shape: NINE_DIGITS, checks: ['ca'] },
  { names: 'pan|permanent account', shape: shape('[A-Z]{3}[ABCFGHLJPT][A-Z]\\d{4}[A-Z]'), checks: ['inPan'] },
  { names: 'nif|contribuinte', shape: NINE_DIGITS, checks: ['pt'] },
  { names: 'rfc', shape: shape('[A-ZÑ&]{3,4}\\d{6}[A-Z0-9]{3}'), checks: ['mxRfc'] },
  { names: 'cui[tl]', shape: shape(String.raw`\d{2}[- ]?\d{8}[- ]?\d`), checks: ['ar'] },
  { names: 'rut|run', shape: shape(String.raw`\d{1,2}\.?\d{3}\.?\d{3}-?[\dkK]`), checks: ['cl'] },
  { names: 'sa id|south african id|rsa id|id|identity', shape: shape(String.raw`\d{6} ?\d{4} ?\d{3}`), checks: ['za'] },
  { names: 'tc kimlik|tckn|kimlik', shape: shape(String.raw`[1-9]\d{10}`), checks: ['tr'] },
  { names: 'teudat zehut|t\\.?z\\.?|תעודת זהות|ת\\.ז\\.?', shape: shape(String.raw`\d{8,9}`), checks: ['il'] },
  { names: 'rodn[eé] [cč][ií]slo|rč', shape: shape(String.raw`\d{6}/?\d{3,4}`), checks: ['sk'] },
  { names: 'cnp', shape: shape(String.raw`[1-8]\d{12}`), checks: ['ro'] },
  { names: 'amka|αμκα', shape: shape(String.raw`\d{11}`), checks: ['grAmka'] },
  { names: 'afm|αφμ', shape: shape(String.raw`\d{9}`), checks: ['grVat'] },
  { names: 'ppsn?|personal public service', shape: shape('\\d{7}[A-W][A-IW]?', 'iuy'), checks: ['ie'] },
  { names: 'utr|unique taxpayer(?: reference)?', shape: TEN_DIGITS, checks: ['gbUtr'] },
  { names: 'oib', shape: shape(String.raw`\d{11}`), checks: ['hr'] },
  { names: 'егн|egn', shape: shape(String.raw`\d{10}`), checks: ['bg'] },
  { names: 'рнокпп|[иі]пн', shape: shape(String.raw`\d{10}`), checks: ['ua'] },
  { names: 'инн', shape: shape(String.raw`\d{10}(?:\d{2})?`), checks: ['ru'] },
  { names: 'снилс', shape: shape(String.raw`\d{3}-?\d{3}-?\d{3}[ -]?\d{2}`) },
  { names: 'ahv|avs|sozialversicherung', shape: shape(String.raw`756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}`), checks: ['ch'] },
  {
    names:
      'tax (?:id|identification|payer id|number|no|reference)|taxpayer|steuernummer|steuer-?id(?:nr|-nr|entifikationsnummer)?|' +
      'tin|social security|national id|national insurance|national identity|numéro fiscal|codice fiscale|' +
      'numéro de sécu(?:rité sociale)?|número fiscal|skattenummer|stnr',
    shape: DIGITS_8_TO_15,
  },
];

// "number", "no.", "is" and the like between a name and the id.
const LINK_WORD =
  'number|numéro|numero|número|nummer|no|nr|num|n|id|card|karte|cédula|is|was|ist|lautet|est|es|è|é|er|är|on|to';
const LINK = String.raw`[\s:=#.,"'“”()\-–—°º>№]{1,4}(?:(?:${LINK_WORD})[\s:=#.,"'°º>№-]{1,4}){0,4}`;
const LINK_CJK = String.raw`[:：号號码碼番号は是번호\s]{0,6}`;
const NAMES = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:${NAMED_IDS.map(({ names }) => `(${names})`).join('|')})(?:${LINK}|(?<=[^\u0000-\u024f])${LINK_CJK})(?=[\p{L}\p{N}-]{0,12}\d)`,
  'giu',
);

// One name can stand for several ids: "personnummer" is Danish, Norwegian and Swedish.
const EXACT_NAMES = NAMED_IDS.map(({ names }) => new RegExp(`^(?:${names})$`, 'iu'));

const RANK = 4;
const SEPARATOR = /[ ./-]/g;

/** Passport, licence, insurance, health and tax numbers of many countries, directly after their name. */
export function findNamedIds(view: ScanView): PiiSpan[] {
  return matchesIn(view, NAMES).flatMap((match) => {
    const start = match.index + match[0].length;
    const name = match.slice(1).find((group) => group !== undefined) ?? '';
    const written = NAMED_IDS.filter((_, kind) => EXACT_NAMES[kind]?.test(name))
      .map((named) => readId(view.text, start, named))
      .find((id) => id !== '');
    if (written === undefined) return [];
    const from = start + view.offset;
    return [{ start: from, end: from + written.length, type: 'NATIONAL_ID' as const, rank: RANK }];
  });
}

function readId(text: string, start: number, named: NamedId): string {
  named.shape.lastIndex = start;
  const written = named.shape.exec(text)?.[0] ?? '';
  if (written === '' || named.checks === undefined) return written;
  const id = written.toUpperCase().replace(SEPARATOR, '');
  const { checks } = named;
  const isValid = typeof checks === 'function' ? checks(id) : checks.some((standard) => isValidAs(standard, id));
  return isValid ? written : '';
}
