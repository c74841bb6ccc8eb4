import type { PiiSpan } from '../pii-types.js';
import type { ScanView } from '../scan-view.js';
import { type Accepts, BARE, collectSecrets, isUnlikeWord, QUOTED } from './secret-values.js';

const TRIGGER =
  /pass|pwd|pw\b|secret|token|key|kennwort|mot de|contrase|senha|wachtwoord|has[lł]o|l[öo]senord|парол|パスワ|密码|密碼|비밀번호|adgangskode|salasana|parola|[sş]ifre|heslo|cl[eéa]|schl[üu]ssel|sleutel|auth|sess|sid=|sig|cred|login/i;

const PASSWORD =
  String.raw`pass(?:word|wd|phrase|code|wort)|pwd|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|lösenord(?:et)?|` +
  String.raw`пароль|パスワード|密码|密碼|비밀번호|adgangskode(?:n)?|salasana|parola|şifre|heslo|contrasena|mdp`;
const KEY_KIND =
  'api|access|secret|private|auth|encryption|signing|master|account|license|licence|shared|storage|service|subscription';
// The look-behind is only evaluated at "key", which keeps the search fast.
const SECRET_NAME = String.raw`(?<=(?:${KEY_KIND})[ _-]?)key|secret|token`;
const SIGN = String.raw`["'\u0060]?\s{0,3}(?::=|=>|[:=：])[ \t]{0,3}\n?[ \t]{0,3}`;

const ASSIGNED = new RegExp(`(?:(${PASSWORD})|${SECRET_NAME})${SIGN}(${QUOTED}|${BARE})`, 'dgiu');
// "for the router", between the name and "is".
const PURPOSE = String.raw`(?:[ \t](?:for|of|to|für|von|zu|de|del|della|du|pour|para|per|voor)(?:[ \t][^\s:=\ue000]{1,20}){1,3}?)?`;
// Names that are also ordinary words, what a password is for, and other signs: "pw: …", "pass for the door = …".
const ABBREVIATED = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:pw|psk|creds?|clave|pass|${PASSWORD})${PURPOSE}(?:${SIGN}|[ \t]{0,2}(?:→|->|[–—-](?=[ \t]))[ \t]{0,2})(${QUOTED}|${BARE})`,
  'dgiu',
);
// Directly beside the name: "pw s4ndcastle".
const BESIDE =
  /(?<![\p{L}\p{N}_-])(?:pw|pwd|password|passwort|kennwort|wachtwoord|contraseña|mot de passe|mdp)[ \t]([^\s\ue000]{6,60})/dgiu;
const ENVIRONMENT = new RegExp(
  String.raw`(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{0,40}_(PASS|PASSWD|PW|PSK|KEY|CREDENTIALS?|DSN_SECRET|SALT)=(${QUOTED}|${BARE})`,
  'dg',
);
// In a sentence, only values that cannot be ordinary words: "my password is hunter2", not "my password is too short".
const IS = String.raw`(?:${PURPOSE}[ \t]{1,3}(?:is|was|ist|lautet|war|est|es|è|é|jest|är|er)(?![\p{L}\p{N}])[ \t]{0,3}(?:now |jetzt |:)?[ \t]{0,2}|は|是|(?<=hasło)[ \t]to[ \t]|(?<=salasana)[ \t]on[ \t])`;
const SAID = new RegExp(
  String.raw`(?:${PASSWORD}|token|api[ _-]?key|passcode|secret|(?<![\p{L}\p{N}])(?:pw|clave)|wi-?fi code|code wi-?fi|wlan-?(?:code|schlüssel))${IS}(${QUOTED}|[A-Za-z0-9_!@#$%^&*\p{Script=Latin}\p{Script=Cyrillic}.,+~?-]{4,100})`,
  'dgiu',
);
const CHANGED = /(?:password|passwort|kennwort)\s(?:from|von)\s\S{4,60}\s(?:to|auf|zu)\s([^\s\ue000]{4,60})/dgi;
const CHANGED_FROM = /(?:password|passwort|kennwort)\s(?:from|von)\s([^\s\ue000]{4,60})(?=\s(?:to|auf|zu)\s)/dgi;
const SET =
  /(?<!\p{L})(?:re)?(?:set|sets|change|changed|update|updated|setze|ändere)\s(?:\S{1,20}\s){0,2}?[^\s\ue000]{0,20}(?:password|passwort|kennwort|passcode|token|key)\s(?:to|auf)\s([^\s\ue000]{4,60})/dgiu;
const ON_NEXT_LINE =
  /(?<=^|\n)[ \t]{0,4}(?:password|passwort|kennwort|passcode)[ \t]{0,3}\r?\n[ \t]{0,4}([^\s\ue000]{4,100})/dgi;
const TAGGED = /<\w{0,20}(?:password|passwd|secret|token|apikey|api_key)>([^<\s\ue000]{3,200})<\//dgi;
const LOGIN =
  /(?<!\p{L})(?:creds?|credentials|login|log-in|zugangsdaten)(?:\s(?:is|are|ist|sind|lautet)\s|\s?[:=]\s?)[\w.@-]{1,40}\s?[/:]\s?([^\s,;\ue000]{4,100})/dgiu;

/** Values given to a name such as "password", "token" or "api_key", in code, files and sentences of several languages. */
export function findNamedSecrets(view: ScanView): PiiSpan[] {
  if (!TRIGGER.test(view.text)) return [];
  const hasSign = /[:=：]/.test(view.text);
  return [
    ...(hasSign ? collectSecrets(view, ASSIGNED, isAssignedSecret) : []),
    ...collectSecrets(view, ABBREVIATED, isUnlikeWord),
    ...(hasSign ? collectSecrets(view, ENVIRONMENT, isEnvironmentSecret) : []),
    ...collectSecrets(view, BESIDE, isPasswordBeside),
    ...collectSecrets(view, SAID, isSaidSecret),
    ...[CHANGED, CHANGED_FROM, SET, ON_NEXT_LINE, LOGIN].flatMap((pattern) =>
      collectSecrets(view, pattern, isUnlikeWord),
    ),
    ...collectSecrets(view, TAGGED, () => true),
  ];
}

// "token: five" is a sentence; a real token has a digit or is long.
const isAssignedSecret: Accepts = (value, match) => {
  if (match[1] !== undefined) return !/^(?:\p{Lu}?\p{Ll}+\s){2,}/u.test(value);
  return (value.length >= 20 && !/\s/.test(value)) || (value.length >= 6 && /\d/.test(value) && /\D/.test(value));
};

const isEnvironmentSecret: Accepts = (value, match) => {
  const isKey = match[1] === 'KEY' || match[1] === 'SALT';
  return isKey ? value.length >= 12 && /\d/.test(value) && !/[/ ]/.test(value) : value.length >= 3;
};

const isSaidSecret: Accepts = (value, match) => /["'\u0060]/.test(match[0].at(-1) ?? '') || isUnlikeWord(value);

const ALGORITHM = /^(?:sha|md|base|utf|oauth|argon|pbkdf|scrypt|bcrypt|aes|win|v|id)-?\d/i;

const isPasswordBeside: Accepts = (value) =>
  /\p{Ll}/u.test(value) && /\d/.test(value) && /^[\p{L}\p{N}!@#$%^&*_+~?-]+$/u.test(value) && !ALGORITHM.test(value);
