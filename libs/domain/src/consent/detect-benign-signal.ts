import type { DetectedSignal } from './types.js';

const TONES: readonly [RegExp, string][] = [
  [/^(?:short|brief|concise|succinct|crisp|to the point)$/iu, 'concise'],
  [/^(?:detailed|thorough|in-depth|long|elaborate)$/iu, 'detailed'],
  [/^(?:formal|professional|polite)$/iu, 'formal'],
  [/^(?:casual|informal|relaxed|colloquial)$/iu, 'casual'],
  [/^(?:friendly|warm|kind|gentle)$/iu, 'friendly'],
  [/^(?:direct|blunt|straightforward|honest)$/iu, 'direct'],
  [/^(?:funny|playful|humorous|witty)$/iu, 'playful'],
];
const ANSWERS = '(?:answers?|replies|reply|responses?|messages|explanations|style|tone)';
const TONE_OPENINGS: readonly RegExp[] = [
  new RegExp(
    `^(?:please )?(?:keep|make) (?:it|them|your ${ANSWERS}|${ANSWERS}) (?:more |very )?(\\S+(?: the point)?)`,
    'iu',
  ),
  /^(?:please )?(?:be|stay|sound) (?:more |very |a bit more |a little more )?(\S+)(?: with me)?/iu,
  new RegExp(`^i (?:really )?(?:like|prefer|want|love) (?:your |a |more )?(\\S+) ${ANSWERS}`, 'iu'),
  new RegExp(`^(?:please )?(?:use|write in) (?:a |an )?(?:more )?(\\S+) (?:tone|style|language)`, 'iu'),
  new RegExp(`^(\\S+) ${ANSWERS},? please`, 'iu'),
];
const TONE_END = new RegExp(
  '^[,\\s]*(?:(?:please|thanks|from now on|in general|always|when you answer(?: me)?|for me|' +
    `in (?:all )?(?:of )?(?:your )?${ANSWERS})\\b[,\\s]*)*$`,
  'iu',
);
const TOO_MUCH = /^(?:please )?(?:do not|don['’]t|stop) (?:be|being) (?:so |too )(\S+)$/iu;

const GOAL_OPENINGS: readonly RegExp[] = [
  /^my (?:main |big |biggest |new |next |personal |long-term )?goal (?:for [\w\s]{2,30} |this \w+ )?is to (.+)$/iu,
  /^i(?:['’]m| am) (?:working|training) (?:hard )?(?:towards?|to|for) (.+)$/iu,
  /^i (?:really )?want to ((?:learn|become|quit|lose|run|write|save|finish|master|improve)\b.+)$/iu,
  /^i(?:['’]m| am) trying to ((?:learn|become|quit|lose|run|write|save|finish|master|improve)\b.+)$/iu,
];
const MAX_GOAL_LENGTH = 120;
const MIN_GOAL_WORDS = 2;

export function detectBenignSignal(clause: string, isQuestion: boolean): DetectedSignal | null {
  if (isQuestion) return null;
  return detectTone(clause) ?? detectGoal(clause);
}

function detectTone(clause: string): DetectedSignal | null {
  const denied = findTone(TOO_MUCH.exec(clause)?.[1]);
  if (denied !== null) return { field: 'tone', value: denied, kind: 'denial' };
  for (const opening of TONE_OPENINGS) {
    const found = opening.exec(clause);
    const value = findTone(found?.[1]);
    if (found && value !== null && TONE_END.test(clause.slice(found[0].length)))
      return { field: 'tone', value, kind: 'statement' };
  }
  return null;
}

/** A tone by one of its words: "brief" is `concise`; null for others. */
export function findTone(word: string | undefined): string | null {
  const bare = word?.replace(/[,.!]+$/u, '') ?? '';
  return TONES.find(([pattern]) => pattern.test(bare))?.[1] ?? null;
}

export function detectGoal(clause: string): DetectedSignal | null {
  for (const opening of GOAL_OPENINGS) {
    const value = opening.exec(clause)?.[1]?.replace(/[\s.!,]+$/u, '');
    if (value === undefined || value.length > MAX_GOAL_LENGTH || value.includes('[')) continue;
    if (value.split(/\s+/).length >= MIN_GOAL_WORDS) return { field: 'goals_add', value, kind: 'statement' };
  }
  return null;
}
