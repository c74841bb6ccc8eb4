import type { PiiSpan } from '../pii-types.js';

const RANK = 2;

// One alternative for each issuer, after its published key format. `(?=…\d)` requires a digit where the rest could be
// words.
const API_KEY = new RegExp(
  String.raw`(?<![A-Za-z0-9_])(?:` +
    [
      String.raw`A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])`, // AWS access key
      String.raw`AIza[\w-]{35}`, // Google
      String.raw`gh[pousr]_[A-Za-z0-9]{20,255}`, // GitHub
      String.raw`github_pat_\w{22,255}`,
      String.raw`glpat-[\w.-]{20,255}`, // GitLab
      String.raw`xox[abeoprs]-[\w-]{10,255}`, // Slack
      String.raw`xapp-[\w-]{10,255}`,
      String.raw`(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,255}`, // Stripe
      String.raw`whsec_[A-Za-z0-9+/=]{20,255}`,
      String.raw`sk-ant-[\w-]{10,255}`, // Anthropic
      String.raw`sk-(?=[A-Za-z_-]{0,200}\d)[\w-]{20,255}`, // OpenAI and compatible
      String.raw`npm_[A-Za-z0-9]{36}`,
      String.raw`hf_[A-Za-z0-9]{30,255}`, // Hugging Face
      String.raw`(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])`, // Twilio
      String.raw`SG\.[\w-]{16,64}\.[\w-]{16,128}`, // SendGrid
      String.raw`ann_(?=[a-z_-]{0,200}[A-Z0-9])[\w-]{16,255}`, // Annals
    ].join('|') +
    ')',
  'g',
);
const API_KEY_TRIGGER =
  /A(?:KIA|SIA|Iza|C[0-9a-f]{8})|g(?:h[pousr]_|ithub_pat_|lpat-)|x(?:ox[abeoprs]-|app-)|[srp]k_|whsec_|sk-|npm_|hf_|S(?:K[0-9a-f]{8}|G\.)|ann_/;

const JWT = /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{4,8000}\.[\w-]{0,2000}/g;

/** API keys with the prefix of a known issuer. */
export function findApiKeys(scanText: string): PiiSpan[] {
  if (!API_KEY_TRIGGER.test(scanText)) return [];
  return [...scanText.matchAll(API_KEY)].map(({ 0: key, index }) => toSpan(index, key));
}

/** JSON Web Tokens: two Base64url parts that begin like JSON objects, and a signature. */
export function findJsonWebTokens(scanText: string): PiiSpan[] {
  if (!scanText.includes('eyJ')) return [];
  return [...scanText.matchAll(JWT)].map(({ 0: token, index }) => toSpan(index, token));
}

function toSpan(start: number, secret: string): PiiSpan {
  return { start, end: start + secret.length, type: 'SECRET', rank: RANK };
}
