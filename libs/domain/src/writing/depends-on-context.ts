import { describesHabit } from '@annals/english';

const END = String.raw`(?![\p{L}\p{N}-])`;
/** Begins with a reference that only an earlier sentence could explain. Before a capital it begins a title or a clause. */
const POINTING_START = new RegExp(
  String.raw`^(?:(?:[Ii]ts?|[Tt]h(?:is|at|ese|ose|ey|em|eir)|[Hh]e|[Ss]he|[Hh](?:is|er|im))${END}(?!(?:['’]s)? \p{Lu})` +
    String.raw`|(?:[Tt]hen|[Aa]lso|[Bb]ut|[Aa]nd|[Ss]o)${END}(?! (?:far|that|long)\b)|[Bb]ecause${END}(?![^.!?]*,))`,
  'u',
);
/** The opening word is explained by the same sentence: "It is important to Ana that …", "Those who …", "These: …". */
const EXPLAINED_START =
  /^(?:[Ii]t\b[^.!?]*?\b(?:that|when|if|whether|how|why|who|where|to (?!(?:the|an?|his|her|their)\b)\p{Ll})|[Tt]hose (?:who|with|that)\b|[Tt]h(?:is|ese|ose)\b[^.!?]*:\s)/u;

const PERIOD =
  'night|week|weekend|month|year|spring|summer|autumn|fall|winter|[Mm]onday|[Tt]uesday|[Ww]ednesday|[Tt]hursday|[Ff]riday|[Ss]aturday|[Ss]unday';
const START = String.raw`(?<=^|[.!?…]["'”’)]?\s+)`;
/**
 * Meaningless without the time of the message (docs/reference/truth-and-time.md#relative-dates-are-resolved). A capital
 * inside a sentence belongs to a name ("USA Today"); "the last week of August" and "yesterday's bread" are any.
 */
const FLOATING_TIME = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:today|tonight|yesterday|tomorrow|${START}(?:Today|Tonight|Yesterday|Tomorrow)` +
    String.raw`|(?:last|next|this|${START}(?:Last|Next|This)) (?:${PERIOD})(?!\s+of\b)|(?<!\bup to )\d+ (?:days?|weeks?|months?|years?) ago|the other day)${END}(?!['’]s)`,
  'gu',
);

/** Whether only another sentence, or the day of the conversation, explains what a memory means. */
export function dependsOnContext(content: string): boolean {
  const trimmed = content.trimStart();
  if (POINTING_START.test(trimmed) && !EXPLAINED_START.test(trimmed)) return true;
  // "Always asks what happened yesterday" means any day.
  return [...content.matchAll(FLOATING_TIME)].some(
    ({ 0: words, index }) => !describesHabit(content, index, index + words.length),
  );
}
