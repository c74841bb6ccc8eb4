import { BELONGINGS_PAIRS } from './pairs-belongings.fixture.js';
import { FOOD_PAIRS } from './pairs-food.fixture.js';
import { HEALTH_PAIRS } from './pairs-health.fixture.js';
import { HOBBY_PAIRS } from './pairs-hobbies.fixture.js';
import { HOME_PAIRS } from './pairs-home.fixture.js';
import { PEOPLE_PAIRS } from './pairs-people.fixture.js';
import { SCHEDULE_PAIRS } from './pairs-schedule.fixture.js';
import { STUDY_PAIRS } from './pairs-study.fixture.js';
import { TECH_PAIRS } from './pairs-tech.fixture.js';
import { WORK_PAIRS } from './pairs-work.fixture.js';

/** What a later statement does to an earlier one of the same user. */
type Effect = 'closes' | 'restates' | 'stays';

export interface StatementPair {
  readonly domain: string;
  /** How it closes ("ending", "half"), or in what it only looks alike ("subject", "question"). */
  readonly kind: string;
  readonly effect: Effect;
  /** Both as the user says them, the later one a month after the earlier one. */
  readonly earlier: string;
  readonly later: string;
  /** Of a compound statement: a word of the half that still holds. */
  readonly stays: string | null;
  /** One in three: not looked at while rules are written. */
  readonly isHeldOut: boolean;
}

const EFFECTS: Readonly<Record<string, Effect>> = { x: 'closes', '=': 'restates', '~': 'stays' };

const DOMAINS: Readonly<Record<string, string>> = {
  home: HOME_PAIRS,
  work: WORK_PAIRS,
  health: HEALTH_PAIRS,
  food: FOOD_PAIRS,
  hobbies: HOBBY_PAIRS,
  people: PEOPLE_PAIRS,
  belongings: BELONGINGS_PAIRS,
  technology: TECH_PAIRS,
  schedule: SCHEDULE_PAIRS,
  study: STUDY_PAIRS,
};

/**
 * A line is "mark kind | earlier | later": `x` closes, `=` restates, `~` both stay. A fourth part is a word of the half
 * of a compound statement that still holds.
 */
function parsePairs(domain: string, lines: string): StatementPair[] {
  const parsed = lines.trim().split('\n');
  return parsed.map((line, index) => {
    const [head, earlier, later, stays] = line.split(' | ');
    const [mark, kind] = head!.split(' ');
    return {
      domain,
      kind: kind!,
      effect: EFFECTS[mark!]!,
      earlier: earlier!,
      later: later!,
      stays: stays ?? null,
      isHeldOut: index % 3 === 2,
    };
  });
}

export const STATEMENT_PAIRS: readonly StatementPair[] = Object.entries(DOMAINS).flatMap(([domain, lines]) =>
  parsePairs(domain, lines),
);
