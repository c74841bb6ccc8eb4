import type { JsonObject } from '../../parsing/json-tree.js';

/** A request in OpenAI’s form, and what becomes of it. */
export interface RequestShape {
  readonly name: string;
  readonly request: JsonObject;
  /** The body of `POST /v1/messages`, without the model and limit that all have. */
  readonly body: JsonObject;
  readonly ignored?: readonly string[];
}

export const text = (words: string, fields: JsonObject = {}) => ({ type: 'text', text: words, ...fields });
export const HI = { role: 'user', content: 'Hi.' };
export const HI_TURN = { role: 'user', content: [text('Hi.')] };
export const MARK = { cache_control: { type: 'ephemeral' } };
export const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
export const STRICT = { ...SCHEMA, additionalProperties: false };
export const WEATHER = { name: 'weather', description: 'Tells the weather.', parameters: SCHEMA };
export const TOOL = { name: 'weather', description: 'Tells the weather.', input_schema: SCHEMA };
export const TOOLS = [{ type: 'function', function: WEATHER }];
export const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});
export const use = (id: string, city: string) => ({ type: 'tool_use', id, name: 'weather', input: { city } });
export const PNG = 'iVBORw0KGgo=';
export const PDF = 'JVBERi0xLjQ=';

/** A request whose messages matter. */
export function ofMessages(
  name: string,
  messages: readonly JsonObject[],
  turns: readonly JsonObject[],
  more: Partial<RequestShape> = {},
) {
  return {
    name,
    request: { messages, ...more.request },
    body: { messages: turns, ...more.body },
    ignored: more.ignored ?? [],
  };
}

/** A request whose other fields matter. */
export function ofFields(
  name: string,
  request: JsonObject,
  body: JsonObject,
  ignored: readonly string[] = [],
): RequestShape {
  return { name, request: { messages: [HI], ...request }, body: { messages: [HI_TURN], ...body }, ignored };
}

/** A message of the user with these parts. */
export function ofParts(
  name: string,
  content: readonly JsonObject[],
  blocks: readonly JsonObject[],
  ignored: readonly string[] = [],
) {
  return ofMessages(name, [{ role: 'user', content }], [{ role: 'user', content: blocks }], { ignored });
}
