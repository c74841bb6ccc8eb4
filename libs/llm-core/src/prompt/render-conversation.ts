import type { ConversationMessage } from '../provider/llm-request.js';
import type { MoodDelta } from '../selection/detect-mood-deltas.js';
import { neutralizeText } from './neutralize-text.js';
import type { ExcerptMessage } from './order-messages.js';

/** Short names of context messages. */
export const CONTEXT_SHORT_NAME_PATTERN = /^c\d+$/;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

interface ConversationView {
  readonly shown: readonly ExcerptMessage[];
  readonly moods?: ReadonlyMap<string, number> | undefined;
  readonly deltas?: ReadonlyMap<string, MoodDelta> | undefined;
  readonly labelSpeaker: (message: ConversationMessage) => string;
}

/**
 * Renders one line for each message, and one line for each day before the first message of that day. `messageIds`: the
 * messages that may be cited, by short name.
 */
export function renderConversation({ shown, moods, deltas, labelSpeaker }: ConversationView): {
  lines: string[];
  messageIds: Map<string, string>;
} {
  const messageIds = new Map<string, string>();
  const lines: string[] = [];
  let contextCount = 0;
  let day = '';
  for (const { message, citable } of shown) {
    const messageDay = renderDay(message.createdAt);
    if (messageDay !== day) lines.push(messageDay);
    day = messageDay;
    const shortName = citable ? `m${messageIds.size + 1}` : `c${(contextCount += 1)}`;
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

/** Smaller shifts are not significant, and marks cost tokens. */
const NOTABLE_SHIFT = 0.3;

interface MessageLine {
  /** `m1`, … or `c1`, …. */
  readonly shortName: string;
  readonly speaker: string;
  readonly content: string;
  readonly mood?: number | undefined;
  readonly delta?: MoodDelta | undefined;
}

/** `m3 Ana ↓-0.6: We broke up.` The mark is only added if the mood has shifted notably. */
function renderMessageLine({ shortName, speaker, content, mood, delta }: MessageLine): string {
  return `${shortName} ${speaker}${renderMoodShift(mood, delta)}: ${neutralizeText(content)}`;
}

function renderMoodShift(mood: number | undefined, delta: MoodDelta | undefined): string {
  if (delta === undefined || delta.direction === 'none' || delta.magnitude < NOTABLE_SHIFT) return '';
  const arrow = delta.direction === 'rise' ? '↑' : '↓';
  return ` ${arrow}${mood === undefined ? '' : formatMood(mood)}`;
}

/** Renders one decimal; never "-0.0". */
function formatMood(mood: number): string {
  return (Math.round(mood * 10) / 10 + 0).toFixed(1);
}
