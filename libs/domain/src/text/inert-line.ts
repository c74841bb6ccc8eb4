import { removeHidden } from './remove-hidden.js';

const ROLE = '(?:system|user|assistant|human|developer|tool|memory|memories|instructions?)';
/**
 * What imitates the form of an answer or of a prompt, and would be read as such in one. A backslash behind the first
 * characters breaks it (docs/reference/recall.md#served-text-is-inert). Lines first: afterwards there are none. Blanks are
 * single, so that patterns take linear time. `needs` is a part of every match: it is looked for first, since most texts
 * do not have it.
 */
export const IMITATIONS: readonly (readonly [needs: RegExp, imitation: RegExp])[] = [
  // A heading; the sign of a change; a role that speaks.
  [/#/, /^[^\S\n]*(?=#{1,6}\s)/gmu],
  [/[+↑↔−↓↺]/u, /^[^\S\n]*[-*•](?=[^\S\n]*[+↑↔−↓↺]\p{L}+:)/gmu],
  [/:/, new RegExp(`^[^\\S\\n]*(?:${ROLE}|another participant \\([^()\\n]{1,60}\\))(?=[^\\S\\n]*:)`, 'gimu')],
  [/rev/i, /Memory updates since rev(?= ?\d)/giu],
  // "[preferences] The user …", "[Recent activity] …", "[system: …]", "[/INST]".
  [/\[/, /(?<![\p{L}\p{N}\])])\[(?=(?:\p{L}[\p{L}_]{2,40}|\p{Lu}\p{L}+ \p{Ll}+)\]\s+\S)/gu],
  [/\[/, new RegExp(`\\[(?=\\s*/?\\s*(?:${ROLE}|inst|activity|profile)\\b[^\\[\\]\\n]{0,80}\\])`, 'giu')],
  // The marks of app memories.
  [/[[(]/, /\[(?=Created:)|\((?=memories for app:)/giu],
  // The notes at the end of a line.
  [/\(/, /\((?=\s*(?:(?:in part )?until|superseded|said \d|imp=|since rev|valid (?:from|to))\b)/giu],
  [
    /\(/,
    /\((?=\d{1,2} \p{Lu}\p{L}+ \d{4}(?:; (?:superseded since|(?:in part )?until \d{1,2} \p{Lu}\p{L}+ \d{4}))?\)\s*(?:[—–]|$))/gu,
  ],
  // The words of a turn behind its fact: "— Ana: “…”".
  [/[—–]/, /[—–](?=\s?[^\s\\“”][^“”]{0,79}:\s?[“"])/gu],
  // Tags and the control tokens of chat templates; the end of a code block.
  [/</, /<(?=[|!/]|<\p{Lu}|\p{L}[^<>\n]{0,80}>)/gu],
  [/`/, /`(?=``)/gu],
];
/** A blank that is not one space. */
const UNUSUAL_BLANK = /[^\S ]|\s\s/u;

/**
 * A text of any origin as a part of one line: without hidden characters and line breaks, with a backslash in what
 * imitates our own form. Idempotent.
 */
export function toInertLine(text: string): string {
  const seen = removeHidden(text);
  let inert = UNUSUAL_BLANK.test(seen) ? joinBlanks(seen) : seen;
  for (const [needs, imitation] of IMITATIONS) if (needs.test(inert)) inert = inert.replace(imitation, '$&\\');
  return inert.replaceAll('\n', ' ').trim();
}

const joinBlanks = (text: string) => text.replace(/\s+/gu, (blank) => (blank.includes('\n') ? '\n' : ' '));
