import type { FirstKey } from '../first-key/ensure-first-key.js';

export interface StartupInfo {
  /** URL of the service, without a slash at the end. */
  readonly url: string;
  /** Path of the one-time link to the console; null: it is not served. */
  readonly consolePath: string | null;
  readonly folder: string;
  readonly key: FirstKey;
  readonly provider: string;
  /** Whether /docs is served. */
  readonly docs: boolean;
}

const USER = 'ada';

const CONVERSATION = {
  user_id: USER,
  thread_id: 'first-steps',
  flush: true,
  messages: [
    { id: 'm1', role: 'user', content: 'I moved to Berlin in May and I work as a nurse. I love green tea.' },
    { id: 'm2', role: 'assistant', content: 'How do you like the city?' },
    { id: 'm3', role: 'user', content: 'I like it a lot. My sister Maria lives in Hamburg.' },
  ],
};

const QUERY = { query: 'Where does she live and what does she drink?', filters: { user_id: USER } };

/** Text shown once the service is ready: its URL, the key, and commands to paste into another terminal. */
export function renderStartupBanner({ url, consolePath, folder, key, provider, docs }: StartupInfo): string {
  const [sentence, expression] = describeKey(key);
  return [
    '',
    `Annals is ready: ${url}`,
    ...(consolePath === null ? [] : [`Open in a browser (works once, for an hour): ${url}${consolePath}`]),
    ...(docs ? [`API reference:   ${url}/docs`] : []),
    `Data folder:     ${folder}`,
    '',
    ...(provider === 'local' ? [LOCAL_NOTICE, ''] : []),
    `${sentence} In another terminal:`,
    '',
    `export ANNALS_KEY=${expression}`,
    '',
    '# Send a conversation:',
    curl(`${url}/v1/conversations`, CONVERSATION),
    '',
    '# Query the memories (they are available about two seconds later):',
    curl(`${url}/v1/memory/query`, QUERY),
    '',
    'Stop with Ctrl+C. The data is preserved.',
    '',
  ].join('\n');
}

const LOCAL_NOTICE =
  'Memories are extracted by the local provider: rules for plain English, without an API key.\n' +
  'It is meant for trying Annals; a language model finds more and writes better memories.';

/** Where the key is, as a sentence, and as an expression of a POSIX shell. */
function describeKey(key: FirstKey): readonly [sentence: string, expression: string] {
  switch (key.from) {
    case 'new':
      return [`This is your API key. It is shown once and stored in ${key.file}.`, key.text];
    case 'file':
      return [`Your API key is in ${key.file}.`, `"$(cat ${quote(key.file)})"`];
    case 'environment':
      return ['Your API key is the one you set in ANNALS_BOOTSTRAP_KEY.', '"$ANNALS_BOOTSTRAP_KEY"'];
  }
}

function curl(url: string, body: object): string {
  return [
    `curl -sS ${url} \\`,
    `  -H "Authorization: Bearer $ANNALS_KEY" -H 'Content-Type: application/json' \\`,
    `  -d ${quote(JSON.stringify(body))}`,
  ].join('\n');
}

/** For a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
