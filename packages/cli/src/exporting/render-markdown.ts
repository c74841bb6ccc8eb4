import { isRecord, listOf } from '../formats/chat.js';

type Fields = Readonly<Record<string, unknown>>;

/** Kinds of lines behind those of memories. */
const BEHIND_MEMORIES: ReadonlySet<unknown> = new Set(['conversation', 'end']);

export interface MarkdownOptions {
  readonly user: string;
  readonly hasConversations: boolean;
}

/**
 * A page of what is remembered of a user, from the lines of an export: their context, memories by category with when they hold and what
 * they rest on, those that are over behind those that hold. Memories are in memory until their last line was read, for
 * their order; conversations are not.
 */
export async function* renderMarkdown(lines: AsyncIterable<unknown>, options: MarkdownOptions): AsyncGenerator<string> {
  const memories: Fields[] = [];
  let isBehindMemories = false;
  const threads = new Map<string, string>();
  let current: string | null = null;
  for await (const line of lines) {
    if (!isRecord(line)) continue;
    const data = isRecord(line['data']) ? line['data'] : {};
    if (line['kind'] === 'manifest') yield renderHead(line, options);
    else if (line['kind'] === 'context') yield renderContext(data);
    else if (line['kind'] === 'memory') memories.push(data);
    else if (!isBehindMemories && BEHIND_MEMORIES.has(line['kind'])) {
      isBehindMemories = true;
      yield* renderMemories(memories);
    }
    if (!options.hasConversations) continue;
    if (line['kind'] === 'conversation') threads.set(String(data['id']), String(data['thread_id']));
    if (line['kind'] !== 'message') continue;
    const id = String(data['conversation_id']);
    if (current === null) yield '\n## Conversations\n';
    if (id !== current) yield `\n### ${escapeText(threads.get(id) ?? id)}\n`;
    current = id;
    yield renderMessage(data);
  }
}

function renderHead({ exported_at: at }: Fields, { user }: MarkdownOptions): string {
  return `# What is remembered of ${escapeText(user)}\n\nExported on ${String(at).slice(0, 10)}.\n`;
}

/** Values that the person cleared are left out. */
function renderContext({ fields }: Fields): string {
  const { goals, ...single } = isRecord(fields) ? fields : {};
  const stated = [
    ...Object.entries(single).toSorted(([a], [b]) => a.localeCompare(b)),
    ...listOf(goals).map((goal) => ['goal', goal] as const),
  ];
  const lines = stated.flatMap(([name, field]) => {
    if (!isRecord(field) || typeof field['value'] !== 'string') return [];
    return [`- ${escapeText(name.replace('_', ' '))}: ${escapeText(field['value'])} (since ${day(field['since'])})\n`];
  });
  return lines.length === 0 ? '' : `\n## User context\n\n${lines.join('')}`;
}

function* renderMemories(memories: readonly Fields[]): Generator<string> {
  const shown = memories.filter(({ state }) => state === 'active');
  if (shown.length === 0) yield '\nNothing.\n';
  const categories = new Set(shown.map(categoryOf));
  const texts = new Map(memories.map(({ id, content }) => [String(id), String(content)]));
  for (const category of [...categories].toSorted()) {
    yield `\n## ${escapeText(category)}\n\n`;
    const ordered = shown.filter((memory) => categoryOf(memory) === category).toSorted(compare);
    for (const memory of ordered) yield renderMemory(memory, texts);
  }
}

const categoryOf = ({ category }: Fields) => String(category);

/** Those that hold first, the newest of each first. */
function compare(a: Fields, b: Fields): number {
  const [overA, overB] = [isOver(a), isOver(b)];
  if (overA !== overB) return overA ? 1 : -1;
  return (
    String(b['valid_from']).localeCompare(String(a['valid_from'])) || String(a['id']).localeCompare(String(b['id']))
  );
}

const isOver = ({ valid_to: to }: Fields) => to !== null && to !== undefined;
const day = (time: unknown) => String(time).slice(0, 10);

function renderMemory(memory: Fields, texts: ReadonlyMap<string, string>): string {
  const content = escapeText(String(memory['content'])).replaceAll('\n', '\n  ');
  const successor = typeof memory['superseded_by'] === 'string' ? texts.get(memory['superseded_by']) : undefined;
  const period = isOver(memory)
    ? `from ${day(memory['valid_from'])} to ${day(memory['valid_to'])}`
    : `since ${day(memory['valid_from'])}`;
  const facts = [
    period,
    ...(memory['pinned'] === true ? ['pinned'] : []),
    ...(memory['type'] === 'insight' ? ['inferred'] : []),
    ...(memory['origin'] === 'manual' ? ['written by hand'] : []),
  ];
  const lines = [isOver(memory) ? `- ~~${content}~~ (${facts.join(', ')})` : `- ${content} (${facts.join(', ')})`];
  if (successor !== undefined) lines.push(`  - superseded by: ${escapeText(successor)}`);
  for (const source of listOf(memory['sources']).filter(isRecord)) {
    const quote = escapeText(String(source['quote'])).replaceAll('\n', ' ');
    lines.push(`  - “${quote}” (${escapeText(String(source['thread_id']))}, ${day(source['said_at'])})`);
  }
  return `${lines.join('\n')}\n`;
}

function renderMessage({ role, actor_id: actor, content, said_at: at }: Fields): string {
  const speaker = typeof actor === 'string' ? actor : String(role);
  const text = escapeText(String(content)).replaceAll('\n', '\n> ');
  return `\n**${escapeText(speaker)}** (${String(at).slice(0, 16).replace('T', ' ')}):\n\n> ${text}\n`;
}

/** So that a text neither becomes a heading, a link or an image nor HTML where the page is shown. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}
