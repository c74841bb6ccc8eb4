import type { OpenResponse } from '../../http/transport.js';
import { readEvents } from '../../streaming/read-events.js';
import { isMessage, type Message } from './message.js';

export const EVENT_STREAM = 'text/event-stream';

/** The messages of a response: one as JSON, or several as events. None of a problem document, whose body is not read. */
export async function* readMessages(opened: OpenResponse): AsyncGenerator<Message, void, undefined> {
  const type = typeOf(opened.response);
  if (type === 'application/json') {
    const body: unknown = await opened.response.json();
    if (isMessage(body)) yield body;
  } else if (type === EVENT_STREAM) {
    for await (const { data } of readEvents(opened)) if (data !== '') yield JSON.parse(data) as Message;
  }
}

/** Without parameters, such as `charset`. */
export function typeOf({ headers }: Response): string {
  return headers.get('content-type')?.split(';')[0]!.trim() ?? '';
}
