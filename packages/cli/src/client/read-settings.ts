import { Failure } from '../failure.js';

/** Where Annals is, and as whom it is asked. */
export interface Settings {
  readonly url: string;
  readonly apiKey: string;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** The key comes from a variable only: arguments of programs can be read by others. */
export function readSettings(env: Readonly<Record<string, string | undefined>>, url: string | undefined): Settings {
  const apiKey = env['ANNALS_API_KEY']?.trim() ?? '';
  if (apiKey === '') throw new Failure('Set ANNALS_API_KEY to an API key of Annals, ann_….');
  const named = (url ?? env['ANNALS_URL'] ?? '').trim();
  const found = named === '' ? DEFAULT_URL : named.replace(/\/+$/, '');
  if (!/^https?:\/\/\S+$/.test(found) || !URL.canParse(found)) {
    throw new Failure('Set ANNALS_URL, or --url, to the URL of Annals, such as http://127.0.0.1:8080.');
  }
  return { url: found, apiKey };
}
