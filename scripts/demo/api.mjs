import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The API key: ANNALS_KEY, else the one that `npm start` stores in its data folder. */
async function findKey(environment) {
  if (environment.ANNALS_KEY) return environment.ANNALS_KEY;
  const file = join(environment.ANNALS_DATA_DIR ?? '.annals', 'bootstrap-key');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    throw new Error(`Set ANNALS_KEY to an API key: ${file} cannot be read.`);
  }
}

/**
 * A client of a running server: `call(method, path, body?)` resolves to the JSON response, or throws with advice; the
 * error of a response has its `status` and `detail`.
 */
export async function connect(environment) {
  const base = environment.ANNALS_URL ?? `http://127.0.0.1:${environment.ANNALS_HTTP_PORT ?? 8080}`;
  const key = await findKey(environment);
  const call = async (method, path, body) => {
    let response;
    try {
      response = await fetch(new URL(path, base), {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    } catch {
      throw new Error(`No server answers at ${base}. Start one with "npm start", or set ANNALS_URL.`);
    }
    const result = await response.json();
    if (!response.ok) {
      const fields = (result.errors ?? []).map((error) => `\n  ${error.path}: ${error.message}`).join('');
      throw Object.assign(new Error(`${method} ${path} failed with ${response.status}: ${result.detail}${fields}`), {
        status: response.status,
        detail: result.detail,
      });
    }
    return result;
  };
  return { base, call };
}
