import type { z } from 'zod';
import type { FakeModel } from '../models/known-models.js';
import { findSchemaFault } from '../models/schema-rules.js';
import { messagesRequest, type MessagesRequest, type RequestBlock } from './messages-schema.js';

interface Turn {
  readonly role: string;
  readonly content: readonly RequestBlock[];
}

/** What the server gave out: thinking by its signature. */
export type IssuedThinking = ReadonlyMap<string, string>;

const MAX_MARKS = 4;

/** The message with which the Messages API would reject the request with 400; null when it would not. */
export function findMessagesFault(body: unknown, model: FakeModel, issued: IssuedThinking): string | null {
  const parsed = messagesRequest.safeParse(body);
  if (!parsed.success) return describeIssue(parsed.error.issues[0]!);
  const request = parsed.data;
  const turns = mergeTurns(request);
  return (
    findTurnFault(request) ??
    findTextFault(request, turns) ??
    findPairFault(turns) ??
    findThinkingFault(turns, issued) ??
    findMarkFault(request, turns) ??
    findToolFault(request) ??
    findConfigFault(request, model)
  );
}

function describeIssue(issue: z.core.$ZodIssue, above: readonly string[] = []): string {
  const path = [...above, ...issue.path.map(String)];
  // Of the forms that a value may have, the one that it has went wrong further inside.
  const inside = issue.code === 'invalid_union' ? issue.errors.flat() : [];
  const deepest = inside.toSorted((a, b) => b.path.length - a.path.length)[0];
  if (deepest) return describeIssue(deepest, path);
  if (issue.code === 'unrecognized_keys')
    return `${[...path, issue.keys[0]].join('.')}: Extra inputs are not permitted`;
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return `${path.join('.')}: ${isMissing ? 'Field required' : issue.message}`;
}

/** The API combines messages of one role that follow each other. */
function mergeTurns({ messages }: MessagesRequest): Turn[] {
  const turns: Turn[] = [];
  for (const { role, content } of messages) {
    const blocks: RequestBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const last = turns.at(-1);
    if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...blocks] };
    else turns.push({ role, content: blocks });
  }
  return turns;
}

function findTurnFault({ messages }: MessagesRequest): string | null {
  if (messages[0]!.role !== 'user') return 'messages: first message must use the "user" role';
  if (messages.at(-1)!.role === 'assistant') {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  // A system message follows a user’s, and is the last or before one of the assistant.
  const isMisplaced = messages.some(
    ({ role }, index) =>
      role === 'system' &&
      (messages[index - 1]!.role !== 'user' || !['assistant', undefined].includes(messages[index + 1]?.role)),
  );
  return isMisplaced ? 'messages: system message must follow a user message and precede an assistant message' : null;
}

function findTextFault({ system, messages }: MessagesRequest, turns: readonly Turn[]): string | null {
  if (messages.some(({ content }) => content.length === 0)) return 'messages: all messages must have non-empty content';
  const inResults = turns.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [block],
    ),
  );
  const texts = [...(Array.isArray(system) ? system : []), ...inResults].flatMap((block) =>
    block.type === 'text' ? [block.text] : [],
  );
  if (texts.includes('')) return 'messages: text content blocks must be non-empty';
  return texts.every((text) => /\S/.test(text))
    ? null
    : 'messages: text content blocks must contain non-whitespace text';
}

/** Each tool use is answered at the start of the next turn, and nothing else is. */
function findPairFault(turns: readonly Turn[]): string | null {
  const seen = new Set<string>();
  for (const [index, { content }] of turns.entries()) {
    const used = listUses(content);
    const repeated = used.find((id) => seen.has(id));
    if (repeated !== undefined) return `messages.${index}: \`tool_use\` ids must be unique`;
    for (const id of used) seen.add(id);
    const next = turns[index + 1];
    const answered = listResults(next?.content ?? []);
    const open = used.filter((id) => !answered.includes(id));
    if (open.length > 0) {
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`;
    }
    const expected = listUses(turns[index - 1]?.content ?? []);
    const results = listResults(content);
    const stray = results.find((id) => !expected.includes(id));
    if (stray !== undefined)
      return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}.`;
    if (new Set(results).size < results.length) return `messages.${index}: each tool_use must have a single result`;
    if (content.slice(0, results.length).some(({ type }) => type !== 'tool_result')) {
      return `messages.${index}: \`tool_result\` blocks must come first in the content`;
    }
  }
  return null;
}

function listUses(content: readonly RequestBlock[]): string[] {
  return content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

function listResults(content: readonly RequestBlock[]): string[] {
  return content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

function findThinkingFault(turns: readonly Turn[], issued: IssuedThinking): string | null {
  for (const [index, { content }] of turns.entries()) {
    const last = content.at(-1);
    if (last?.type === 'thinking' || last?.type === 'redacted_thinking') {
      return `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`;
    }
    const isForged = content.some(
      (block) => block.type === 'thinking' && issued.get(block.signature) !== block.thinking,
    );
    if (isForged) return `messages.${index}: Invalid \`signature\` in \`thinking\` block`;
  }
  return null;
}

function findMarkFault({ system, tools, cache_control: own }: MessagesRequest, turns: readonly Turn[]): string | null {
  const marks = [
    ...(tools ?? []),
    ...(Array.isArray(system) ? system : []),
    ...turns.flatMap(({ content }) => content),
    { cache_control: own },
  ].flatMap((block) => ('cache_control' in block && block.cache_control ? [block.cache_control.ttl ?? '5m'] : []));
  if (marks.length > MAX_MARKS) {
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
  }
  const isLongAfterShort = marks.includes('5m') && marks.lastIndexOf('1h') > marks.indexOf('5m');
  return isLongAfterShort ? "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block" : null;
}

function findToolFault({ tools, tool_choice: choice, model, thinking }: MessagesRequest): string | null {
  const names = (tools ?? []).map(({ name }) => name);
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  for (const { name, strict, input_schema: schema } of tools ?? []) {
    const fault = strict ? findSchemaFault(schema, 'anthropic') : null;
    if (fault !== null) return `tools.${names.indexOf(name)}.input_schema: ${fault}`;
  }
  if (!choice) return null;
  if (names.length === 0) return 'tool_choice may only be specified while providing tools.';
  if (choice.type === 'tool' && !names.includes(choice.name))
    return `Tool '${choice.name}' not found in provided tools`;
  const isForced = choice.type === 'tool' || choice.type === 'any';
  const isThinking = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  if (isForced && (isThinking || model.startsWith('claude-sonnet-5'))) {
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  }
  return null;
}

function findConfigFault({ thinking, max_tokens: max, output_config: output }: MessagesRequest, model: FakeModel) {
  if (thinking && model.refusesThinking?.includes(thinking.type)) {
    return `thinking.type: ${thinking.type} is not supported on this model`;
  }
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= max) {
    return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  }
  if (max > (model.maxOutputTokens ?? 128_000)) return `max_tokens: ${max} > ${model.maxOutputTokens ?? 128_000}`;
  const fault = output?.format ? findSchemaFault(output.format.schema, 'anthropic') : null;
  return fault === null ? null : `output_config.format.schema: ${fault}`;
}
