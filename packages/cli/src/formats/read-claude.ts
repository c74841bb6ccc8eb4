import { type Chat, type ChatMessage, isRecord, listOf, splitLong, toId, toStorable, toTime } from './chat.js';
import { leftOut, type NotTaken } from './not-taken.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a part of a message is called that is no text. */
const PARTS = new Map(
  Object.entries({
    thinking: 'thinking',
    tool_use: 'tool calls and their results',
    tool_result: 'tool calls and their results',
    image: 'images',
  }),
);
const ROLES: ReadonlyMap<string, ChatMessage['role']> = new Map([
  ['human', 'user'],
  ['assistant', 'assistant'],
]);

/** A conversation of an export of Claude; of branches, the one that ends last. Null for what is no conversation. */
export function readClaude(item: unknown): Chat | null {
  if (!isRecord(item) || !Array.isArray(item['chat_messages'])) return null;
  const id = toId(item['uuid']);
  if (id === null) return null;
  const all = item['chat_messages'].filter(isRecord);
  const shown = findPath(all);
  const messages: ChatMessage[] = [];
  const notTaken: NotTaken[] = [];
  let at = toTime(item['created_at']);
  for (const message of all) {
    const name = toId(message['uuid']);
    const role = ROLES.get(String(message['sender']));
    const add = (reason: string) => notTaken.push(leftOut('message', name ?? id, reason));
    if (name === null) add('messages without an id');
    else if (role === undefined) add('messages of an unknown sender');
    else if (!shown.has(message)) add('messages of other branches');
    else {
      at = toTime(message['created_at']) ?? at;
      const { text, reasons } = readContent(message);
      reasons.forEach(add);
      if (text.trim() === '') {
        if (reasons.length === 0) add('empty messages');
      } else if (at === null) add('messages without a time');
      else messages.push(...splitLong({ id: name, role, content: text, created_at: at }));
    }
  }
  return { id, messages, notTaken };
}

/** All messages, unless they name their parents: then those from the last one up. */
function findPath(messages: readonly Fields[]): ReadonlySet<Fields> {
  const byId = new Map(messages.map((message) => [message['uuid'], message]));
  const hasParent = ({ parent_message_uuid: parent }: Fields) => typeof parent === 'string' && byId.has(parent);
  if (!messages.some(hasParent)) return new Set(messages);
  const path = new Set<Fields>();
  for (let at = messages.at(-1); at && !path.has(at); at = byId.get(at['parent_message_uuid'])) path.add(at);
  return path;
}

function readContent(message: Fields): { readonly text: string; readonly reasons: string[] } {
  const reasons = new Set<string>();
  if (listOf(message['attachments']).length > 0) reasons.add('attachments');
  if ([...listOf(message['files']), ...listOf(message['files_v2'])].length > 0) reasons.add('files');
  const texts: string[] = [];
  for (const part of listOf(message['content']).filter(isRecord)) {
    if (typeof part['text'] === 'string') texts.push(part['text']);
    else reasons.add(PARTS.get(String(part['type'])) ?? 'parts of an unknown kind');
  }
  // Of older exports, which have no parts.
  if (listOf(message['content']).length === 0 && typeof message['text'] === 'string') texts.push(message['text']);
  return { text: toStorable(texts.filter((text) => text.trim() !== '').join('\n\n')), reasons: [...reasons] };
}
