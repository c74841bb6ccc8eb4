import { MAX_INSTANT, MIN_INSTANT } from '@annals/contracts';
import { listFewAgo, type ResolvedDate, renderDate, resolveDates } from '@annals/english';

/** A sentence whose relative dates were replaced by calendar dates; `startsAt` is the first one's instant (epoch ms). */
export interface DatedText {
  text: string;
  startsAt?: number;
}

interface Replacement {
  start: number;
  end: number;
  startsAt: number;
  /** Null where the words around it change nothing: "a few weeks before 8 May 2023". */
  date: ResolvedDate | null;
  words: string;
}

/** A sentence with more dates than this is a schedule, not a statement; the first ones are replaced. */
const MAX_DATES = 3;

/** Prepositions that a date keeps; others are replaced by "on" before a day and "in" before a longer time. */
const LEAD_OF_DAY = /\b(?:on|by|until|till|since|of|from|to|before|after|around|for)\s$/i;
const LEAD_OF_PERIOD = /\b(?:in|by|until|till|since|before|after|during|from|of)\s$/i;
const PART_OF_PERIOD = /\b(?:early|mid|late|beginning of|end of|middle of|start of)[\s-]$/i;
const REPLACED_LEAD = /(?:\b(?:about|around|like|earlier)\s|\b(?:over|on|during|in|at)\s(?:the\s)?)$/i;

/**
 * Replaces dates by what they mean on the day the sentence was said
 * (docs/reference/truth-and-time.md#relative-dates-are-resolved): "yesterday" becomes "on 7 May 2023". What names no
 * single time ("recently", "the other day") stays as it is. `past`: the tense of the sentence, where it is known.
 */
export function rewriteDates(sentence: string, saidAt: number, past: boolean): DatedText {
  const replacements = listReplacements(sentence, saidAt, past);
  let text = '';
  let offset = 0;
  for (const { start, end, date, words } of replacements) {
    const head = sentence.slice(offset, start);
    text += date === null ? head + words : joinLead(head, words, date);
    offset = end;
  }
  const [first] = replacements;
  return { text: text + sentence.slice(offset), ...(first ? { startsAt: first.startsAt } : {}) };
}

function listReplacements(sentence: string, saidAt: number, past: boolean): Replacement[] {
  const exact = resolveDates(sentence, saidAt, past ? 'past' : undefined).map((date): Replacement => {
    return { ...date, date, startsAt: Date.parse(date.from), words: renderWithPart(date) };
  });
  const rough = listFewAgo(sentence, saidAt).map(({ rendered, ...date }): Replacement => {
    return { ...date, date: null, words: rendered };
  });
  return [...exact, ...rough]
    .filter(({ startsAt }) => startsAt >= MIN_INSTANT && startsAt < MAX_INSTANT)
    .toSorted((a, b) => a.start - b.start)
    .slice(0, MAX_DATES);
}

/** "8 May 2023 (morning)", "the week of 1 May 2023". */
function renderWithPart(date: ResolvedDate): string {
  const article = date.granularity.startsWith('week') ? 'the ' : '';
  const part = /morning|afternoon|evening|night/i.exec(date.text)?.[0].toLowerCase();
  return `${article}${renderDate(date)}${part !== undefined && date.granularity === 'day' ? ` (${part})` : ''}`;
}

function joinLead(head: string, words: string, { granularity }: ResolvedDate): string {
  const keepsLead = (granularity === 'day' ? LEAD_OF_DAY : LEAD_OF_PERIOD).test(head) || PART_OF_PERIOD.test(head);
  if (keepsLead) return head + words;
  const lead = granularity === 'day' || granularity === 'weekend' ? 'on' : 'in';
  return `${head.replace(REPLACED_LEAD, '')}${lead} ${words}`;
}
