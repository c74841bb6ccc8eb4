/** Limits of a procedure (docs/reference/extraction.md#procedures): the number of steps, and the characters of each. */
export const MAX_STEPS = 20;
export const MAX_STEP_LENGTH = 280;
export const MAX_TITLE_LENGTH = 160;

/** Instructions for a purpose, step by step. */
export interface Procedure {
  /** Its purpose: "How to deploy the website". */
  readonly title: string;
  /** Each an instruction: "Run the tests." */
  readonly steps: readonly string[];
}

/** Words before an instruction that are not part of it: "First, you should always …", "2) please …". */
const LEADS = [
  /^\s*(?:[-*•–]|\(?\d{1,2}[.):]|step \d{1,2}\s*[:.)-]?)\s*/iu,
  /^(?:and|then|next|first(?:ly| of all)?|second(?:ly)?|third(?:ly)?|after (?:that|this)|afterwards?|finally|lastly)\b(?:[,:]?\s+|$)/iu,
  /^(?:please|always|just|simply)\s+/iu,
  /^(?:you|we|one|the user|I)(?:['’]ll)?\s+(?:(?:should|must|can|will|always|then|first|just|need to|have to|has to)\s+)*/iu,
];
const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Converts the text of a step to an instruction: imperative, one sentence, with a full stop. Null when nothing is left.
 */
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

/** The content of a procedural memory: its title and its numbered steps, a line each. */
export function composeProcedure({ title, steps }: Procedure): string {
  return [`${title.replace(/[\s.:]+$/u, '')}:`, ...steps.map((step, index) => `${index + 1}. ${step}`)].join('\n');
}
