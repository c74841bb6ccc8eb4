import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import { isJsonObject, type JsonObject } from '../../parsing/json-tree.js';
import { invalid, missing, unsupported } from './chat-request-error.js';
import { isGiven, readMark } from './json-fields.js';

/** The tools of a request, and what it says about their use. */
export function translateTools(body: JsonObject): JsonObject {
  const tools = [
    ...translateList(body.tools, 'tools', translateTool),
    ...translateList(body.functions, 'functions', translateFunction),
  ];
  if (tools.length === 0)
    return isRequired(body.tool_choice ?? body.function_call) ? { tool_choice: translateChoice(body) } : {};
  const choice = translateChoice(body);
  return { tools, ...(choice ? { tool_choice: choice } : {}) };
}

/** The part of JSON Schema that the API enforces; other rules become words in descriptions, as the SDK has it. */
export function translateSchema(schema: unknown, param: string): JsonObject {
  if (!isJsonObject(schema)) throw missing(param);
  try {
    const { schema: translated } = jsonSchemaOutputFormat(schema as { type: 'object' });
    return translated;
  } catch (error) {
    throw invalid(param, `${param} cannot be enforced by Claude: ${(error as Error).message}.`);
  }
}

/** Without tools, only this makes a difference. */
function isRequired(choice: unknown): boolean {
  return isGiven(choice) && choice !== 'auto' && choice !== 'none';
}

function translateList(
  list: unknown,
  param: string,
  translate: (item: JsonObject, param: string) => JsonObject,
): JsonObject[] {
  if (!isGiven(list)) return [];
  if (!Array.isArray(list)) throw invalid(param, `${param} must be a list.`);
  return list.map((item: unknown, index) => {
    if (!isJsonObject(item)) throw invalid(`${param}[${index}]`, `${param}[${index}] must be a tool.`);
    return translate(item, `${param}[${index}]`);
  });
}

function translateTool(tool: JsonObject, param: string): JsonObject {
  if (isJsonObject(tool.custom)) {
    throw unsupported(param, `${param} takes free text, which Claude’s tools do not: make it a function.`);
  }
  // A tool of the Messages API.
  if (!isJsonObject(tool.function)) return tool;
  return { ...translateFunction(tool.function, `${param}.function`), ...readMark(tool) };
}

function translateFunction(called: JsonObject, param: string): JsonObject {
  const { name, description, parameters, strict } = called;
  if (typeof name !== 'string') throw missing(`${param}.name`);
  if (isGiven(parameters) && !isJsonObject(parameters))
    throw invalid(`${param}.parameters`, `${param}.parameters must be a JSON Schema.`);
  const schema = { type: 'object', ...(isJsonObject(parameters) ? parameters : { properties: {} }) };
  return {
    name,
    ...(isGiven(description) ? { description } : {}),
    input_schema: strict === true ? translateSchema(schema, `${param}.parameters`) : schema,
    ...(strict === true ? { strict } : {}),
    ...readMark(called),
  };
}

function translateChoice(body: JsonObject): JsonObject | undefined {
  const choice = chooseTool(body.tool_choice ?? body.function_call);
  // The older form of calls has room for one only.
  const isSingle = body.parallel_tool_calls === false || isGiven(body.functions);
  if (!isSingle || choice?.type === 'none') return choice;
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
}

function chooseTool(choice: unknown): JsonObject | undefined {
  if (!isGiven(choice)) return undefined;
  if (choice === 'auto' || choice === 'none') return { type: choice };
  if (choice === 'required') return { type: 'any' };
  if (!isJsonObject(choice))
    throw invalid('tool_choice', 'tool_choice must be auto, none, required or name a function.');
  if (choice.type === 'allowed_tools' || choice.type === 'custom') {
    throw unsupported(
      'tool_choice',
      `tool_choice cannot be ${choice.type} with Claude: send only the tools that it may use.`,
    );
  }
  const called = choice.type === 'function' ? choice.function : choice;
  if (!isJsonObject(called)) throw missing('tool_choice.function');
  // One of the Messages API has a type.
  return called.type === undefined ? { type: 'tool', name: called.name } : called;
}
