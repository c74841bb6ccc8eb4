/** Enough of an error message to recognise the rejected parameter. */
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * `fetch` for the OpenAI SDK, which parses errors only as `{ "error": … }`: error bodies of another shape (`{ "detail":
 * … }`, `{ "message": … }`) are wrapped in it, so that their messages are available.
 */
export async function fetchWithReadableErrors(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.ok || !response.headers.get('content-type')?.includes('json')) return response;
  const text = await response.text();
  const { status, statusText, headers } = response;
  return new Response(hasError(text) ? text : wrap(text), { status, statusText, headers: dropLength(headers) });
}

function hasError(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'error' in body;
  } catch {
    return false;
  }
}

function wrap(text: string): string {
  return JSON.stringify({ error: { message: text.slice(0, MAX_MESSAGE_LENGTH) } });
}

/** The body was decoded and its length may have changed. */
function dropLength(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete('content-length');
  copy.delete('content-encoding');
  return copy;
}
