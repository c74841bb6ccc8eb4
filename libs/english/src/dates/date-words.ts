import { MONTHS, NUMBER_WORDS } from '../words/word-lists.js';

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

// Sources of patterns, each with a named group. Short forms must not be followed by a letter: "sun" is not in "Sunny".
export const WEEKDAY =
  '(?<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?![\\p{L}\\p{N}]))';
export const MONTH = `(?<month>${MONTHS.join('|').toLowerCase()}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?![\\p{L}\\p{N}])\\.?)`;
export const SEASON = '(?<season>spring|summer|fall|autumn|winter)';
export const YEAR = '(?<year>(?:19|20)\\d\\d)';
export const UNIT = '(?<unit>day|week|fortnight|weekend|month|year)';
export const COUNT = `(?<count>\\d{1,3}|half\\san?|an?|(?:a\\s)?couple(?:\\sof)?|${NUMBER_WORDS.slice(1).join('|')})`;

/** 0 is Sunday. */
export const indexOfWeekday = (word: string) => WEEKDAYS.indexOf(word.slice(0, 3).toLowerCase());
/** 0 is January. */
export const indexOfMonth = (word: string) =>
  MONTHS.findIndex((name) => name.slice(0, 3).toLowerCase() === word.slice(0, 3).toLowerCase());

export function parseCount(words: string): number {
  if (/couple/i.test(words)) return 2;
  if (/^half/i.test(words)) return 0.5;
  return /^an?$/i.test(words) ? 1 : Math.max(NUMBER_WORDS.indexOf(words.toLowerCase()), 0) || Number(words);
}

/** What may follow a time that is complete; any other word makes it part of a name or a noun ("the summer house"). */
const COMPLETE = new RegExp(
  "^(?:\\W{0,2}$|['’]s\\b|\\s?[^\\s\\w'’-]|\\s(?:a|an|the|my|our|your|his|her|its|their|this|that|i|we|you|he|she|it|they|" +
    'there|who|and|or|but|so|when|while|as|if|because|since|until|to|at|in|on|by|with|without|for|from|of|after|before|' +
    'about|around|near|over|into|is|was|are|were|has|had|have|will|would|can|could|do|did|not|now|then|too|already|' +
    'again|just|next|last|together|instead|alone)(?![\\w-]))',
  'i',
);

export function isCompleteAt(text: string, end: number): boolean {
  return COMPLETE.test(text.slice(end, end + 16));
}

const VAGUE = /\b(?:early|mid|late|(?:the\s)?(?:end|beginning|start|middle)\sof)[\s-]$/i;

/** In lower case; "in" before "early May". Empty where more than one space or hyphen separates it. */
export function findWordBefore(text: string, start: number): string {
  const head = text.slice(Math.max(0, start - 40), start).replace(VAGUE, '');
  return /([\p{L}\p{N}'’]+)[\s-]$/u.exec(head)?.[1]?.toLowerCase() ?? '';
}
