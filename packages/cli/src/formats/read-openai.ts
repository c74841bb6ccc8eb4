import { type Chat, type ChatMessage, isRecord, listOf, splitLong, toId, toStorable, toTime } from './chat.js';
import { leftOut, type NotTaken } from './not-taken.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a part of a message is called that is no text. */
const MEDIA = new Map(
  Object.entries({
    image_asset_pointer: 'images',
    audio_asset_pointer: 'audio and video',
    video_container_asset_pointer: 'audio and video',
    real_time_user_audio_video_asset_pointer: 'audio and video',
  }),
);
const THINKING = new Set(['thoughts', 'reasoning_recap']);
const TEXTS = new Set(['text', 'multimodal_text']);

/**
 * A conversation of an export of OpenAI: a tree of messages, of which the branch is taken that was shown last. Null for
 * what is no conversation.
 */
export function readOpenAi(item: unknown): Chat | null {
  if (!isRecord(item) || !isRecord(item['mapping'])) return null;
  const id = toId(item['conversation_id'] ?? item['id']);
  if (id === null) return null;
  const nodes = new Map(
    Object.entries(item['mapping']).filter((entry): entry is [string, Fields] => isRecord(entry[1])),
  );
  const path = findPath(nodes, item['current_node']);
  const messages: ChatMessage[] = [];
  const notTaken: NotTaken[] = [];
  let at = toTime(item['create_time']) ?? toTime(item['update_time']);
  for (const node of path) {
    const read = readNode(nodes.get(node)!, node);
    notTaken.push(...read.notTaken);
    at = read.at ?? at;
    if (read.content === null) continue;
    if (at === null) notTaken.push(leftOut('message', read.id, 'messages without a time'));
    else messages.push(...splitLong({ id: read.id, role: read.role, content: read.content, created_at: at }));
  }
  const shown = new Set(path);
  for (const [node, fields] of nodes) {
    if (!shown.has(node) && isSaid(fields))
      notTaken.push(leftOut('message', toId(node) ?? id, 'messages of other branches'));
  }
  return { id, messages, notTaken };
}

/** From the first message to the one shown last: without `current_node`, to the youngest. */
function findPath(nodes: ReadonlyMap<string, Fields>, current: unknown): string[] {
  const end = typeof current === 'string' && nodes.has(current) ? current : findYoungest(nodes);
  const path = new Set<string>();
  for (let at: unknown = end; typeof at === 'string' && nodes.has(at) && !path.has(at); at = nodes.get(at)!['parent']) {
    path.add(at);
  }
  return [...path].toReversed();
}

function findYoungest(nodes: ReadonlyMap<string, Fields>): string | undefined {
  const timeOf = ({ message }: Fields) => (isRecord(message) ? (toTime(message['create_time']) ?? '') : '');
  const leaves = [...nodes].filter(([, { children }]) => listOf(children).length === 0);
  return leaves.toSorted(([, a], [, b]) => timeOf(a).localeCompare(timeOf(b))).at(-1)?.[0];
}

function isSaid({ message }: Fields): boolean {
  return isRecord(message) && readContent(message).text.trim() !== '' && roleOf(message) !== 'system';
}

const roleOf = ({ author }: Fields) => (isRecord(author) ? author['role'] : undefined);

type NodeRead = Pick<ChatMessage, 'id' | 'role'> & {
  /** Null: not taken. */
  readonly content: string | null;
  readonly at: string | null;
  readonly notTaken: readonly NotTaken[];
};

function readNode({ message }: Fields, node: string): NodeRead {
  const skip = (id: string, ...reasons: string[]): NodeRead => {
    return {
      id,
      role: 'user',
      content: null,
      at: null,
      notTaken: reasons.map((reason) => leftOut('message', id, reason)),
    };
  };
  if (!isRecord(message)) return skip(node);
  const id = toId(message['id']) ?? toId(node);
  if (id === null) return skip(node.slice(0, 40), 'messages without an id');
  const role = roleOf(message);
  const { text, reasons } = readContent(message);
  const isEmpty = text.trim() === '';
  if (role === 'tool' || (message['recipient'] ?? 'all') !== 'all') return skip(id, 'tool calls and their results');
  if (role !== 'user' && role !== 'assistant') return isEmpty ? skip(id) : skip(id, 'instructions of the system');
  if (isEmpty) return skip(id, ...(reasons.length > 0 ? reasons : ['empty messages']));
  const notTaken = reasons.map((reason) => leftOut('message', id, reason));
  return { id, role, content: text, at: toTime(message['create_time']), notTaken };
}

/** The words of a message, and what of it are none. */
function readContent({ content, metadata }: Fields): { readonly text: string; readonly reasons: string[] } {
  const reasons = new Set<string>();
  if (isRecord(metadata) && listOf(metadata['attachments']).length > 0) reasons.add('attachments');
  if (!isRecord(content)) return { text: '', reasons: [...reasons] };
  const type = String(content['content_type']);
  if (THINKING.has(type)) return { text: '', reasons: ['thinking'] };
  if (type.endsWith('editable_context')) return { text: '', reasons: ['instructions of the system'] };
  if (!TEXTS.has(type)) return { text: '', reasons: ['tool calls and their results'] };
  const texts: string[] = [];
  for (const part of listOf(content['parts'])) {
    if (typeof part === 'string') texts.push(part);
    else if (isRecord(part) && typeof part['text'] === 'string') texts.push(part['text']);
    else if (isRecord(part)) reasons.add(MEDIA.get(String(part['content_type'])) ?? 'parts of an unknown kind');
  }
  return { text: toStorable(texts.filter((text) => text.trim() !== '').join('\n\n')), reasons: [...reasons] };
}
