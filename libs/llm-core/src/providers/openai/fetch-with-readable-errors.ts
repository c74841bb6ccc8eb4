/** Enough of an error to recognise what a server complains about. */
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * `fetch` for the OpenAI SDK, which knows errors only as `{ "error": … }`: the bodies of servers that answer in another
 * shape (`{ "detail": … }`, `{ "message": … }`) are put into it, so that their complaints can be read.
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

/** The body was decoded and may be longer now. */
function dropLength(headers: Headers): Headers {
  const retained = new Headers(headers);
  retained.delete('content-length');
  retained.delete('content-encoding');
  return retained;
}
