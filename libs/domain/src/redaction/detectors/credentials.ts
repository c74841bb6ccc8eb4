import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';
import { collectSecrets, isPlaceholder, isUnlikeWord } from './secret-values.js';

const RANK = 3;
const LOOK_BACK = 160;

const AUTHORIZATION =
  /(?<![\w-])(?:proxy-)?authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token|apikey|key|digest|negotiate)\s{1,3})?([\w.~+/=:-]{8,4000})/dgi;
const BEARER = /(?<![\w-])bearer\s{1,3}([\w.~+/=-]{16,600})/dgi;
const COOKIE =
  /(?<![\w.-])(?:[\w.-]{0,30}(?:session[_-]?id|session|sessid|\.sid|_sid|jwt|auth|token)|sid)=([^;&\s"'\ue000]{12,300})/dgi;
const LINK_PARAMETER =
  /(?<=[?&#;])(?:(?:x-amz-)?(?:sig(?:nature)?|security-token)|(?:access|id|refresh|auth)_token|api[_-]?key|apikey|token|auth|password|pwd|key)=([^&\s#"'<>\ue000]{6,400})/dgi;
const NETRC = /(?<![\w-])login\s{1,3}(?!(?:and|or)\s)\S{1,80}\s{1,3}password\s{1,3}([^\s\ue000]{3,100})/dgi;

interface Flag {
  readonly pattern: RegExp;
  /** The command in front of the flag, on the same line. */
  readonly command: RegExp;
  readonly accepts?: (value: string, match: RegExpExecArray) => boolean;
}

const SHELL_VALUE = String.raw`"[^"\n\ue000]{3,120}"|'[^'\n\ue000]{3,120}'|[^\s"'\ue000]{3,120}`;
const FLAGS: readonly Flag[] = [
  {
    pattern: new RegExp(String.raw`(?<=\s)(?:-u|--user|--proxy-user|--auth|-a)[ =]?(${SHELL_VALUE})`, 'dg'),
    command: /\b(?:curl|httpie|https?|xh|wget|redis-cli)\b[^\n|]*$/,
  },
  {
    pattern: /(?<=\s)-p([^\s"'\ue000]{3,120})/dg,
    command: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|]*$/,
  },
  {
    pattern: new RegExp(String.raw`(?<=\s)-p[ =](${SHELL_VALUE})`, 'dg'),
    command: /\b(?:sshpass|(?:docker|podman|oc|az|skopeo|helm)\b[^\n|]*\blogin)\b[^\n|]*$/,
  },
  {
    pattern: new RegExp(String.raw`(?<=\s)--(?:password|token|api-key|secret|auth-token)[ =](${SHELL_VALUE})`, 'dg'),
    command: /\S\s$/,
    accepts: isLongFlagValue,
  },
];
/** What a file of logins has before "login". */
const NETRC_HOST = /(?<!\S)machine\s{1,3}\S{1,100}\s{1,3}$|(?:^|\n)[^\S\n]{0,8}default\s{1,3}$/i;
const COMMAND =
  /(?:^|\n)[^\S\n]{0,8}[$#%>] ?\S|\b(?:sudo|curl|wget|docker|podman|kubectl|helm|oc|gh|glab|git|npm|pnpm|yarn|npx|node|pip|python3?|psql|mysql|mongo(?:sh)?|redis-cli|aws|az|gcloud|vault|terraform|ssh|scp|rclone|restic|ansible)\s/;

/** Credentials of HTTP headers, cookies, links, command lines and connection URLs. */
export function findCredentials(view: ScanView): PiiSpan[] {
  const { text } = view;
  return [
    ...(/auth/i.test(text) ? collectSecrets(view, AUTHORIZATION, () => true) : []),
    ...(/bearer/i.test(text) ? collectSecrets(view, BEARER, () => true, isPlaceholder) : []),
    ...(text.includes('=') ? collectSecrets(view, COOKIE, (value) => /\d/.test(value)) : []),
    ...(text.includes('=') ? collectSecrets(view, LINK_PARAMETER, isLinkSecret) : []),
    ...(/login/i.test(text) ? collectSecrets(view, NETRC, isNetrcPassword) : []),
    ...(text.includes(' -') ? findFlags(view) : []),
    ...findUrlCredentials(view),
  ];
}

function isLinkSecret(value: string, match: RegExpExecArray): boolean {
  return /\d/.test(value) && (!match[0].toLowerCase().startsWith('key') || isUnlikeWord(value));
}

/** Not of "my login and password stopped working", "if login or password was wrong". */
function isNetrcPassword(value: string, { index }: RegExpExecArray, { text }: ScanView): boolean {
  return isUnlikeWord(value) || NETRC_HOST.test(text.slice(Math.max(0, index - LOOK_BACK), index));
}

/** Not of "the --password option": a word behind a blank is a value only in a command. */
function isLongFlagValue(value: string, { 0: flag, index, input }: RegExpExecArray): boolean {
  if (/^--[a-z-]+=|["']$/.test(flag) || isUnlikeWord(value)) return true;
  return COMMAND.test(input.slice(Math.max(0, index - LOOK_BACK), index).replace(/^[^]*\n(?=[^\n])/, '\n'));
}

function findFlags(view: ScanView): PiiSpan[] {
  return FLAGS.flatMap(({ pattern, command, accepts }) =>
    collectSecrets(view, pattern, (value, match) => {
      const { index } = match;
      if (!command.test(view.text.slice(Math.max(0, index - LOOK_BACK), index))) return false;
      return isUserAndPassword(value) && (accepts?.(value, match) ?? true);
    }),
  );
}

/** Not "user:password" and "$USER:$PASS", as documentation writes them. */
function isUserAndPassword(value: string): boolean {
  const [user = '', ...rest] = value.split(':');
  if (rest.length === 0) return true;
  const password = rest.join(':');
  return password !== '' && !isPlaceholder(password) && !user.startsWith('$');
}

const MAX_AUTHORITY = 400;
const AUTHORITY = /(?<=:\/\/)[^\s/?#"'<>\ue000]{1,400}/g;

/** User and password before the "@" of a URL ("postgres://user:password@host"); the host stays readable. */
function findUrlCredentials(view: ScanView): PiiSpan[] {
  if (!view.text.includes('://')) return [];
  return matchesIn(view, AUTHORITY).flatMap(({ 0: authority, index }) => {
    const userInfo = authority.slice(0, Math.max(0, authority.slice(0, MAX_AUTHORITY).lastIndexOf('@')));
    if (!/^[^:]{0,200}:./.test(userInfo) || !isUserAndPassword(userInfo)) return [];
    const start = index + view.offset;
    return [{ start, end: start + userInfo.length, type: 'SECRET' as const, rank: RANK }];
  });
}
