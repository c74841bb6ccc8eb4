import { annotateDates, renderDate, renderDay, resolveDates } from '@annals/english';

/** A message that a sentence may cite. */
export interface CitedMessage {
  readonly id: string;
  /** How summaries call the speaker: "Ana", "The user", "The assistant". */
  readonly speaker: string;
  readonly content: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** A message with what its words mean on its day. */
export interface Source {
  readonly content: string;
  /** Its words with its speaker and with dates for "yesterday" and the like. */
  readonly told: string;
  readonly saidOn: string;
  readonly namesTime: boolean;
}

/** Reads each message once. */
export function createSourceReader(messages: ReadonlyMap<string, CitedMessage>): (id: string) => Source {
  const read = new Map<string, Source>();
  return (id) => {
    const source = read.get(id) ?? readSource(messages.get(id)!);
    read.set(id, source);
    return source;
  };
}

function readSource({ speaker, content, createdAt }: CitedMessage): Source {
  const dates = resolveDates(content, createdAt);
  const told = [
    `${speaker} told: ${annotateDates(content, createdAt)}`,
    // A compound may be in two tenses, and "in November" is another one in each.
    ...(['past', 'future'] as const).flatMap((tense) => resolveDates(content, createdAt, tense).map(renderDate)),
    ...dates
      .filter(({ text, granularity }) => granularity === 'day' && NAMES_WEEKDAY.test(text))
      .map(({ from }) => renderWithWeekday(Date.parse(from))),
  ];
  return { content, told: told.join('\n'), saidOn: renderDay(createdAt), namesTime: dates.length > 0 };
}

const NAMES_WEEKDAY = /\b(?:mon|tue|wed|thu|fri|sat|sun)/iu;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** "Tuesday, 22 September 2026": "next Tuesday" may be told as the weekday or as the day. */
function renderWithWeekday(time: number): string {
  return `${WEEKDAYS[new Date(time).getUTCDay()]}, ${renderDay(time)}`;
}

/** Says when something was said: "Ana wrote on 8 May 2026", "On 8 May 2026: …". */
const TELLS_WHEN_SAID =
  /\b(?:said|says|told|tells|wrote|writes|asked|asks|mention(?:s|ed)|report(?:s|ed)|announced?s?|shared?s?|explain(?:s|ed)|adds|added|noted?s?|as of)\b|^On \d{1,2} \p{L}+ \d{4}:/u;

/** What a sentence may take from a message: its words, and what they mean. */
export function listTellings({ content, told, saidOn, namesTime }: Source, sentence: string): string[] {
  return [content, told, ...(!namesTime || TELLS_WHEN_SAID.test(sentence) ? [saidOn] : [])];
}
