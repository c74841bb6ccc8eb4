import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';

const RANK = 2;

/**
 * After the issuers' published formats. `(?=…\d)` requires a digit where the rest could be words. The prefix is what a
 * text is searched for before the formats are tried.
 */
const FORMATS: readonly (readonly [prefix: string, format: string])[] = [
  ['A(?:KIA|SIA)', String.raw`A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])`], // AWS access key
  ['AIza', String.raw`AIza[\w-]{35}`], // Google
  ['GOCSPX-', String.raw`GOCSPX-[\w-]{20,60}`],
  ['ya29', String.raw`ya29\.[\w-]{20,500}`],
  ['1//0', String.raw`1//0[\w-]{30,200}`],
  ['gh[pousr]_', String.raw`gh[pousr]_[A-Za-z0-9]{20,255}`], // GitHub
  ['github_pat_', String.raw`github_pat_\w{22,255}`],
  ['gl[a-z]{2,6}-', String.raw`gl(?:pat|ptt|rt|dt|soat|cbt|ft|imt|agent|oas)-[\w.-]{20,255}`], // GitLab
  ['glsa_', String.raw`glsa_[A-Za-z0-9]{20,64}_[0-9a-f]{8}`], // Grafana
  ['xox', String.raw`xox[abeoprs]-[\w-]{10,255}`], // Slack
  ['xapp-', String.raw`xapp-[\w-]{10,255}`],
  ['hooks', String.raw`(?<=hooks\.slack\.com/(?:services|workflows)/)[\w/]{20,120}`],
  ['[srp]k_', String.raw`(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,255}`], // Stripe
  ['whsec_', String.raw`whsec_[A-Za-z0-9+/=]{20,255}`],
  ['sk-', String.raw`sk-ant-[\w-]{10,255}`], // Anthropic
  ['sk-', String.raw`sk-(?=[A-Za-z_-]{0,200}\d)[\w-]{20,255}`], // OpenAI and compatible
  ['npm_', String.raw`npm_[A-Za-z0-9]{36}`],
  ['pypi-', String.raw`pypi-[\w-]{30,255}`],
  ['hf_', String.raw`hf_[A-Za-z0-9]{30,255}`], // Hugging Face
  ['(?:SK|AC)[0-9a-f]{8}', String.raw`(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])`], // Twilio
  [String.raw`SG\.`, String.raw`SG\.[\w-]{16,64}\.[\w-]{16,128}`], // SendGrid
  ['key-', String.raw`key-[0-9a-z]{32}(?![A-Za-z0-9])`], // Mailgun
  [':AA', String.raw`\d{8,10}:AA[\w-]{32,35}`], // Telegram
  [String.raw`[MNO][\w-]{23,27}\.`, String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}`], // Discord
  ['do[opr]_v1_', String.raw`do[opr]_v1_[0-9a-f]{64}`], // DigitalOcean
  ['shp', String.raw`shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`], // Shopify
  ['lin_', String.raw`lin_(?:api|oauth)_[A-Za-z0-9]{30,64}`], // Linear
  ['ntn_', String.raw`ntn_[A-Za-z0-9]{30,60}`], // Notion
  ['fig[dou]', String.raw`fig[dou]r?_[\w-]{30,120}`], // Figma
  ['gsk_', String.raw`gsk_[A-Za-z0-9]{30,80}`], // Groq
  ['xai-', String.raw`xai-[A-Za-z0-9]{30,120}`],
  ['r8_', String.raw`r8_[A-Za-z0-9]{30,60}`], // Replicate
  ['pplx-', String.raw`pplx-[A-Za-z0-9]{30,80}`],
  [String.raw`hv[sbr]\.`, String.raw`hv[sbr]\.[\w-]{24,255}`], // HashiCorp Vault
  ['dapi', String.raw`dapi[0-9a-f]{32}(?:-\d)?`], // Databricks
  ['AGE-SECRET', String.raw`AGE-SECRET-KEY-1[0-9A-Z]{50,70}`],
  ['pul-', String.raw`pul-[0-9a-f]{40}`], // Pulumi
  ['NR(?:AK|JS|II)-', String.raw`NR(?:AK|JS|II)-[A-Z0-9a-z]{19,40}`], // New Relic
  ['PMAK-', String.raw`PMAK-[0-9a-f]{24}-[0-9a-f]{34}`], // Postman
  ['vc[pkirac]_', String.raw`vc[pkirac]_[A-Za-z0-9]{24,80}`], // Vercel
  ['sb(?:p_|_secret)', String.raw`(?:sb_secret_[\w-]{20,80}|sbp_[0-9a-f]{40})`], // Supabase
  ['Q~', String.raw`[\w.~-]{3}\dQ~[\w.~-]{31,34}`], // Microsoft Entra
  ['sntr', String.raw`sntr(?:ys|yu)_[\w+/=-]{30,400}`], // Sentry
  ['ATATT', String.raw`ATATT3[\w=-]{40,250}`], // Atlassian
  ['op_', String.raw`ops_eyJ[\w=-]{40,700}`], // 1Password
  ['tskey-', String.raw`tskey-[a-z]{2,10}-[\w-]{16,80}`], // Tailscale
  ['dckr_', String.raw`dckr_(?:pat|oat)_[\w-]{20,60}`], // Docker
  ['rubygems_', String.raw`rubygems_[0-9a-f]{48}`],
  ['ann_', String.raw`ann_(?=[a-z_-]{0,200}[A-Z0-9])[\w-]{16,255}`], // Annals
];
const TRIGGER = new RegExp([...new Set(FORMATS.map(([prefix]) => prefix))].join('|'));
const API_KEY = new RegExp(`(?<![A-Za-z0-9_])(?:${FORMATS.map(([, format]) => format).join('|')})`, 'g');

export function findApiKeys(view: ScanView): PiiSpan[] {
  if (!TRIGGER.test(view.text)) return [];
  return matchesIn(view, API_KEY).map(({ 0: key, index }) => toSpan(index + view.offset, key));
}

const JWT_START = /(?<![\w-])eyJ/g;
// The parts may be broken over lines, as e-mails and terminals do.
const JWT_BREAK = String.raw`(?:\r?\n[ \t>]{0,4})?`;
const JWT_PART = (start: string, atLeast: number, lines: number) =>
  String.raw`${start}[\w-]{${atLeast},8000}(?:\r?\n[ \t>]{0,4}[\w-]{8,200}(?=[\w.\r\n-])){0,${lines}}`;
const JWT = new RegExp(
  String.raw`${JWT_PART('eyJ', 8, 40)}${JWT_BREAK}\.${JWT_BREAK}${JWT_PART('eyJ', 4, 80)}${JWT_BREAK}\.${JWT_BREAK}[\w-]{0,2000}`,
  'y',
);

/** JSON Web Tokens: two Base64url parts that begin like JSON objects, and a signature. */
export function findJsonWebTokens(view: ScanView): PiiSpan[] {
  if (!view.text.includes('eyJ')) return [];
  return matchesIn(view, JWT_START).flatMap(({ index }) => {
    JWT.lastIndex = index + view.offset;
    const token = JWT.exec(view.whole)?.[0];
    return token === undefined ? [] : [toSpan(index + view.offset, token)];
  });
}

function toSpan(start: number, secret: string): PiiSpan {
  return { start, end: start + secret.length, type: 'SECRET', rank: RANK };
}
