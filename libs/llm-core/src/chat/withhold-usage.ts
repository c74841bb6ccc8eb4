/** Ends an event of a stream, whatever line ends the server uses. */
const EVENT_END = /\r\n\r\n|\n\n|\r\r/;

/** A stream without its last chunk, which has only the usage that its client did not ask for. */
export async function* withholdUsage(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let waiting = '';
  for await (const chunk of bytes) {
    waiting += decoder.decode(chunk, { stream: true });
    const events = waiting.split(EVENT_END);
    waiting = events.pop()!;
    const passed = events.filter((event) => !isUsageAlone(event)).map((event) => `${event}\n\n`);
    if (passed.length > 0) yield passed.join('');
  }
  if (waiting !== '') yield waiting;
}

function isUsageAlone(event: string): boolean {
  const data = event.replace(/^data: ?/, '');
  if (!data.includes('"usage"')) return false;
  try {
    const { choices, usage } = JSON.parse(data) as { choices?: unknown; usage?: unknown };
    return Array.isArray(choices) && choices.length === 0 && usage !== null && usage !== undefined;
  } catch {
    return false;
  }
}
