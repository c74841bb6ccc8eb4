import type { MoodDelta } from '../selection/detect-mood-deltas.js';
import type { ConversationMessage } from '../provider/llm-request.js';
import type { ExcerptMessage } from './order-messages.js';
import { renderMessageLine } from './render-message-line.js';
import { formatMessageShortName, formatContextShortName } from './short-names.js';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export interface ConversationView {
  readonly shown: readonly ExcerptMessage[];
  readonly moods?: ReadonlyMap<string, number> | undefined;
  readonly deltas?: ReadonlyMap<string, MoodDelta> | undefined;
  readonly labelSpeaker: (message: ConversationMessage) => string;
}

/** The lines of a conversation, and the short names that may be cited. */
export interface RenderedConversation {
  readonly lines: readonly string[];
  /** Short name to message id. */
  readonly messageIds: ReadonlyMap<string, string>;
}

/** Renders one line for each message, and one line for each day before the first message of that day. */
export function renderConversation({ shown, moods, deltas, labelSpeaker }: ConversationView): RenderedConversation {
  const messageIds = new Map<string, string>();
  const lines: string[] = [];
  let contextCount = 0;
  let day = '';
  for (const { message, citable } of shown) {
    const messageDay = renderDay(message.createdAt);
    if (messageDay !== day) lines.push(messageDay);
    day = messageDay;
    const shortName = citable
      ? formatMessageShortName(messageIds.size + 1)
      : formatContextShortName((contextCount += 1));
    if (citable) messageIds.set(shortName, message.id);
    // Moods are shown for users only, because memories are about them.
    const mood = message.role === 'user' ? { mood: moods?.get(message.id), delta: deltas?.get(message.id) } : {};
    lines.push(renderMessageLine({ shortName, speaker: labelSpeaker(message), content: message.content, ...mood }));
  }
  return { lines, messageIds };
}

/** `2023-05-08 Mon`, in UTC: "next Friday" needs the weekday. */
function renderDay(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.toISOString().slice(0, 10)} ${WEEKDAYS[date.getUTCDay()]}`;
}
