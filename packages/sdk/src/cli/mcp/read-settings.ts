import { isHttpUrl, readOptions, type Settings } from '../../http/options.js';

/** The settings of the bridge, or what to set. */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
): Settings | { readonly refusal: string } {
  const { ANNALS_URL: baseUrl = 'http://127.0.0.1:8080', ANNALS_API_KEY: apiKey } = env;
  if (!apiKey) return { refusal: 'Set ANNALS_API_KEY to an API key that is bound to a user.' };
  if (!isHttpUrl(baseUrl))
    return { refusal: 'Set ANNALS_URL to the URL of Annals, such as https://memory.example.com.' };
  // A header can carry nothing else, and fetch names neither the variable nor what to do.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    return {
      refusal: 'Set ANNALS_API_KEY to the whole text of an API key: it has neither spaces nor a character such as …',
    };
  const { username, password } = new URL(baseUrl);
  if (username || password)
    return { refusal: 'Set ANNALS_URL to a URL without a name and a password: ANNALS_API_KEY is all that is sent.' };
  return readOptions({ baseUrl, apiKey });
}
