/** Limits of a procedure (docs/reference/extraction.md#procedures): the number of steps, and the characters of each. */
const MAX_STEPS = 20;
export const MAX_STEP_LENGTH = 280;
const MAX_TITLE_LENGTH = 160;

export interface Procedure {
  /** Its purpose: "How to deploy the website". */
  readonly title: string;
  /** Each an instruction: "Run the tests." */
  readonly steps: readonly string[];
  /** Words that it is filed under; only procedures from the work of agents have some. */
  readonly tags?: readonly string[];
}

/** Words before an instruction that are not part of it: "First, you should always …", "2) please …". */
const LEADS = [
  /^\s*(?:[-*•–]|\(?\d{1,2}[.):]|step \d{1,2}\s*[:.)-]?)\s*/iu,
  /^(?:and|then|next|first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|after (?:that|this)|afterwards?|finally|lastly)\b(?:[,:]?\s+|$)/iu,
  /^(?:please|always|just|simply)\s+/iu,
  /^(?:you|we|one|the user|I)(?:['’]ll)?\s+(?:(?:should|must|can|will|always|then|first|just|need to|have to|has to)\s+)*/iu,
];
const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** A step as an instruction: imperative, one sentence, with a full stop. Null when nothing is left. */
export function formatStep(said: string): string | null {
  let step = said.replace(/\s+/gu, ' ').trim();
  for (let before = ''; before !== step;) {
    before = step;
    for (const lead of LEADS) step = step.replace(lead, '');
  }
  step = step.replace(/[\s,;:]+$/u, '');
  if (!HAS_LETTER_OR_DIGIT.test(step) || step.length > MAX_STEP_LENGTH - 1) return null;
  const [first = '', ...rest] = step;
  const sentence = first.toUpperCase() + rest.join('');
  return /[.!?。…]["'”’)\]]?$/u.test(sentence) ? sentence : `${sentence}.`;
}

/** The content of a procedural memory: its title, its numbered steps and its tags, a line each. */
export function composeProcedure({ title, steps, tags = [] }: Procedure): string {
  return [
    `${title.replace(/[\s.:]+$/u, '')}:`,
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...(tags.length > 0 ? [`Tags: ${tags.join(', ')}.`] : []),
  ].join('\n');
}

/** A procedure that a message requests to store, and its position in the message. */
export interface FoundProcedure extends Procedure {
  readonly quote: string;
  /** The text that the procedure was parsed from. */
  readonly text: string;
}

const SAVE_VERB = String.raw`(?:remember|memori[sz]e|save|store|keep|note(?: down)?|write down|don['’]t forget)`;
const PROCEDURE_NOUN = String.raw`(?:steps?|procedure|workflow|process|routine|recipe|instructions|checklist)`;
/** At the beginning of a sentence: "Save these steps for …:". "I always forget how to …" is no request. */
const REQUEST = new RegExp(
  String.raw`(?:^|[.!?\n]\s{0,40})(?<quote>(?:(?:please|can you|could you|hey|ok(?:ay)?)[, ]+)*${SAVE_VERB} (?:that )?(?:(?:this|these|the|my|our|following) )*(?:(?<how>how (?:to|I|we) [^:\n.]{3,140}?)|${PROCEDURE_NOUN} (?:to|for|of|when) (?<what>[^:\n.]{3,140}?)|${PROCEDURE_NOUN}))\s*(?::|[.]?\n)\s*`,
  'iu',
);
const NUMBERED_LINE = /^\s*(?:\(?\d{1,2}[.):]|step \d{1,2}|[-*•–])\s*\S/iu;
/** Inside a line: "1. … 2. …", "…, then …; …". */
const INLINE_NUMBER = /(?<=^|\s)\(?\d{1,2}[.)]\s+/gu;
const INLINE_ORDER =
  /(?:[.;,]\s+|\n)(?=(?:and )?(?:then|next|after that|afterwards?|finally|lastly|second(?:ly)?|third(?:ly)?)\b)|;\s+|\.\s+(?=\p{Lu})/giu;
const MIN_STEPS = 2;

/** Null unless the request is explicit and has at least two steps (docs/reference/extraction.md#procedures). */
export function findProcedure(content: string): FoundProcedure | null {
  const request = REQUEST.exec(content);
  const { quote, how, what } = request?.groups ?? {};
  if (!request || quote === undefined) return null;
  const body = content.slice(request.index + request[0].length);
  const parsed = parseStepLines(body) ?? parseInlineSteps(body);
  if (!parsed) return null;
  const steps = parsed.pieces.map(formatStep);
  if (steps.length < MIN_STEPS || steps.length > MAX_STEPS || steps.includes(null)) return null;
  const start = content.indexOf(quote, request.index);
  return {
    title: formatTitle(how, what),
    steps: steps as string[],
    quote,
    text: content.slice(start, request.index + request[0].length + parsed.length),
  };
}

interface ParsedSteps {
  readonly pieces: readonly string[];
  /** Of the body, in UTF-16 units. */
  readonly length: number;
}

/** Steps with one line each, up to the first line that is not a step. */
function parseStepLines(body: string): ParsedSteps | null {
  const pieces: string[] = [];
  let length = 0;
  for (const line of body.split('\n')) {
    if (line.trim() !== '' && !NUMBERED_LINE.test(line)) break;
    if (line.trim() !== '') pieces.push(line);
    length = Math.min(body.length, length + line.length + 1);
  }
  return pieces.length >= MIN_STEPS ? { pieces, length } : null;
}

/** Steps in one paragraph: numbered, or one after the other. */
function parseInlineSteps(body: string): ParsedSteps | null {
  const [paragraph = ''] = body.split(/\n\s*\n/u);
  const numbered = paragraph.split(INLINE_NUMBER).filter((piece) => piece.trim() !== '');
  const isNumbered = /^\s*\(?1[.)]\s/u.test(paragraph) && numbered.length >= MIN_STEPS;
  const pieces = isNumbered ? numbered : paragraph.split(INLINE_ORDER);
  const steps = pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
  return steps.length >= MIN_STEPS ? { pieces: steps, length: paragraph.length } : null;
}

function formatTitle(how: string | undefined, what: string | undefined): string {
  const said = how ?? (what === undefined ? 'Steps to remember' : `Steps for ${what}`);
  const title = said
    .replace(/^how (?:I|we) /iu, 'how to ')
    .replace(/\s+/gu, ' ')
    .trim();
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}
