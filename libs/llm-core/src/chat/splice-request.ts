import { listElements, listMembers, type Member, type Span } from './json-spans.js';

/** What is put into a request. */
export interface ChatAdditions {
  /** A message before all others. */
  readonly profile: string | null;
  /** Memories for this turn. */
  readonly memory: { readonly text: string; readonly placement: 'tail' | 'before' } | null;
  /** What the provider wants at the end of what it is to keep in its prompt cache; null for nothing. */
  readonly cacheMark: CacheMark | null;
  /** Whether a stream ends by its usage although the client does not ask for it. */
  readonly usage: boolean;
}

/** A member of a content part, and the names by which clients do the same themselves. */
export interface CacheMark {
  readonly json: string;
  /** The name of such a member, in quotes. */
  readonly name: string;
  /** A member of the request, and what its value contains when it switches the cache off where nothing is marked. */
  readonly off?: { readonly name: string; readonly value: string };
}

/** GPT-5.6 and later keep a prompt up to such a breakpoint; by default, up to the newest message. */
export const OPENAI_CACHE_MARK: CacheMark = {
  json: '"prompt_cache_breakpoint":{"mode":"explicit"}',
  name: '"prompt_cache_breakpoint"',
  off: { name: 'prompt_cache_options', value: '"explicit"' },
};

/** GPT-5.6 and later, also under the name that a router gives them. */
const WITH_BREAKPOINTS = /(?:^|\/)gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|\d\d)/;

export function wantsBreakpoints(model: string): boolean {
  return WITH_BREAKPOINTS.test(model);
}

/** Claude keeps a prompt up to such a block, and nothing without one. */
export const ANTHROPIC_CACHE_MARK: CacheMark = {
  json: '"cache_control":{"type":"ephemeral"}',
  name: '"cache_control"',
};

interface Edit extends Span {
  readonly text: string;
}

/**
 * The JSON text of a request with the additions, and without the member `memory`. Every other character stays as the
 * client sent it, since providers keep prompts in their caches by their exact beginning (docs/chat.md#prompt-caches).
 * `text` is valid JSON with an object.
 */
export function spliceRequest(text: string, additions: ChatAdditions): string {
  const members = listMembers(text, text.indexOf('{'));
  const edits = [...removeMembers(members, 'memory')];
  const messages = members.findLast(({ name }) => name === 'messages');
  if (messages && text[messages.value.start] === '[')
    edits.push(...editMessages(text, messages.value, members, additions));
  if (additions.usage) edits.push(askForUsage(text, members));
  return applyEdits(text, edits);
}

/** With the comma and white space that separate it from the member before it, or from the next one. */
function* removeMembers(members: readonly Member[], name: string): Generator<Edit> {
  for (const [index, member] of members.entries()) {
    if (member.name !== name) continue;
    const before = members[index - 1];
    const next = members[index + 1];
    // After a removed first member, the next one is the first.
    const isFirst = members.slice(0, index).every((each) => each.name === name);
    if (!isFirst && before) yield { start: before.whole.end, end: member.whole.end, text: '' };
    else yield { start: member.whole.start, end: next?.whole.start ?? member.whole.end, text: '' };
  }
}

function editMessages(
  text: string,
  array: Span,
  members: readonly Member[],
  { profile, memory, cacheMark }: ChatAdditions,
): Edit[] {
  const messages = listElements(text, array.start);
  const last = messages.at(-1);
  if (!last) return [];
  const edits: Edit[] = [];
  const mark = cacheMark !== null && !marksItself(text, members, cacheMark) ? cacheMark.json : null;
  if (profile !== null) edits.push(insert(messages[0]!.start, `${renderMessage('system', profile, mark)},`));
  if (memory !== null && memory.placement === 'before') edits.push(...putBefore(text, messages, memory.text));
  else if (mark !== null && (memory !== null || cacheMark === ANTHROPIC_CACHE_MARK))
    edits.push(...markLast(text, last, mark));
  if (memory !== null && memory.placement === 'tail')
    edits.push(insert(last.end, `,${renderMessage('user', memory.text, null)}`));
  return edits;
}

/** Whether the client marks parts itself, or wants no cache. A mark of the whole request is at its end, after memories. */
function marksItself(text: string, members: readonly Member[], { name: mark, off }: CacheMark): boolean {
  return members.some(({ name, value }) => {
    const json = text.slice(value.start, value.end);
    return off?.name === name ? json.includes(off.value) : json.includes(mark);
  });
}

function renderMessage(role: 'system' | 'user', content: string, mark: string | null): string {
  const quoted = JSON.stringify(content);
  const value = mark === null ? quoted : `[{"type":"text","text":${quoted},${mark}}]`;
  return `{"role":"${role}","content":${value}}`;
}

/** At the beginning of what the user said last. */
function putBefore(text: string, messages: readonly Span[], memory: string): Edit[] {
  const quoted = JSON.stringify(memory);
  for (const message of messages.toReversed()) {
    if (roleOf(text, message) !== 'user') continue;
    const content = contentOf(text, message);
    if (content && text[content.start] === '"') return [insert(content.start + 1, quoted.slice(1, -1))];
    if (content && text[content.start] === '[') {
      const [first] = listElements(text, content.start);
      const part = `{"type":"text","text":${quoted}}`;
      return [insert(content.start + 1, first ? `${part},` : part)];
    }
    return [];
  }
  return [];
}

/** Makes a text the one part of its message, since only parts can be marked. An empty text cannot. */
function markLast(text: string, message: Span, mark: string): Edit[] {
  if (roleOf(text, message) === 'function') return [];
  const content = contentOf(text, message);
  if (!content) return [];
  if (text[content.start] === '"') {
    if (text.slice(content.start + 1, content.end - 1).trim() === '') return [];
    return [insert(content.start, '[{"type":"text","text":'), insert(content.end, `,${mark}}]`)];
  }
  const part = text[content.start] === '[' ? listElements(text, content.start).at(-1) : undefined;
  if (!part || text[part.start] !== '{' || listMembers(text, part.start).length === 0) return [];
  return [insert(part.end - 1, `,${mark}`)];
}

function roleOf(text: string, message: Span): unknown {
  const role = text[message.start] === '{' && listMembers(text, message.start).findLast(({ name }) => name === 'role');
  return role ? JSON.parse(text.slice(role.value.start, role.value.end)) : undefined;
}

function contentOf(text: string, message: Span): Span | undefined {
  if (text[message.start] !== '{') return undefined;
  return listMembers(text, message.start).findLast(({ name }) => name === 'content')?.value;
}

function askForUsage(text: string, members: readonly Member[]): Edit {
  const options = members.findLast(({ name }) => name === 'stream_options');
  const wanted = '"include_usage":true';
  if (!options) return insert(members.at(-1)!.whole.end, `,"stream_options":{${wanted}}`);
  const { value } = options;
  // Of two members with one name the last counts.
  const isFilled = text[value.start] === '{' && listMembers(text, value.start).length > 0;
  return isFilled ? insert(value.end - 1, `,${wanted}`) : { ...value, text: `{${wanted}}` };
}

function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return result + text.slice(end);
}
