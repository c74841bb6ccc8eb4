import type { PiiSpan } from '../pii-types.js';
import type { ScanView } from '../scan-view.js';
import { collectSecrets } from './secret-values.js';

const TRIGGER = /\b(?:pin|otp|codes?|passcode|key)\b/i;
const KIND =
  'alarm|verification|security|access|door|gate|entry|backup|login|activation|recovery|one-time|2fa|mfa|sms|unlock|auth|confirmation';
// "is", ":" or "=", perhaps after what the code is for.
const IS = String.raw`(?: (?:for|of|to) (?:the|my|our) \w{2,20})?(?:\s(?:is|was|ist)\s(?:now\s)?|\s?[:=]\s?)`;
const NAMED_DIGITS = new RegExp(
  String.raw`(?<![\w-])(?:pin(?: code)?|passcode|(?:${KIND})[ -](?:code|pin))${IS}(\d{3}[ -]\d{3}|\d{4,8})(?![\w-]|[.,]\d)`,
  'dgi',
);
const OTP = /(?<![\w-])otp(?:\s(?:is|code)\s|\s?[:=]\s?|\s)(\d{4,8})(?![\w-]|[.,]\d)/dgi;
const NAMED_GROUPS = new RegExp(
  String.raw`(?<![\w-])(?:(?:${KIND})[ -]code|(?:licen[cs]e|product|activation|serial) key)${IS}((?=[A-Z-]{0,12}\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){1,7})(?![\w-])`,
  'dgi',
);
const LISTED =
  /(?<=\b(?:recovery|backup)[ -]codes?(?:\s(?:are|is))?[\s:]{1,3}(?:[\w-]{6,20}[\s,;]{1,3}){0,9})((?=[a-z-]{0,12}\d)[a-z0-9]{4,8}-[a-z0-9]{4,8})(?![\w-])/dgi;

/** PINs, one-time codes, licence and recovery codes that are named as such: mostly digits, so only beside their name. */
export function findAccessCodes(view: ScanView): PiiSpan[] {
  if (!TRIGGER.test(view.text)) return [];
  return [NAMED_DIGITS, OTP, NAMED_GROUPS, LISTED].flatMap((pattern) => collectSecrets(view, pattern, () => true));
}
