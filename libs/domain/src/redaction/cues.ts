const LOOK_BACK = 48;
const LOOK_AHEAD = 20;
const IDENTIFIER_CUE =
  /(?:\b(?:order|invoice|ticket|tracking|case|ref|reference|confirmation|booking|reservation|isbn|issn|sku|part|model|serial|version|build|receipt|transaction|parcel|item|product|article|job|batch|commit|issue|bug|epoch|timestamp|account)\b[\s\w.:#-]{0,16}|[$\u20ac\u00a3\u00a5]\s*)$/i;
const NUMBERED_CUE = /(?:\b(?:id|no|nr)[.:]?|#)\s*$/i;
const AMOUNT_AFTER =
  /^\s?(?:%|[$\u20ac\u00a3\u00a5]|(?:usd|eur|gbp|dollars?|euros?|pounds?|bytes|kb|mb|ms|km|kg|seconds?)\b)/i;
const PHONE_CUE =
  /\b(?:phone|telephone|tel|mobile|cell|cellphone|whatsapp|fax|call(?:ing)?|text|sms|ring|dial|reach(?: me)?|contact)\b/i;

/** The text before a position that may label what follows. */
function contextBefore(text: string, position: number): string {
  return text.slice(Math.max(0, position - LOOK_BACK), position);
}

/** The text before and shortly after a span. */
export function contextAround(text: string, start: number, end: number): string {
  return `${contextBefore(text, start)} ${text.slice(end, end + LOOK_AHEAD)}`;
}

/** True when the text labels the number as an order, a price, a quantity or the like. */
export function isLabelledAsOtherNumber(text: string, start: number, end: number): boolean {
  return NUMBERED_CUE.test(contextBefore(text, start)) || isLabelledAsIdentifier(text, start, end);
}

/** The same for numbers with a checksum, which may well follow "id" or "no.". */
export function isLabelledAsIdentifier(text: string, start: number, end: number): boolean {
  return IDENTIFIER_CUE.test(contextBefore(text, start)) || AMOUNT_AFTER.test(text.slice(end, end + LOOK_AHEAD));
}

/** True when the text before the number mentions a telephone. */
export function isLabelledAsPhone(text: string, start: number): boolean {
  return PHONE_CUE.test(contextBefore(text, start));
}
