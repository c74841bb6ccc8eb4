import { isJsonObject, type JsonObject } from '../../parsing/json-tree.js';
import { findClaudeModel } from '../../providers/claude/claude-models.js';
import { invalid } from './chat-request-error.js';
import { type Ignore, isGiven } from './json-fields.js';
import { translateSchema } from './translate-tools.js';

/** The API has no free JSON: its formats forbid fields that they do not name. */
const JSON_INSTRUCTION = 'Answer with one JSON object: no words before or after it, and no code fence.';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

interface TranslatedOutput {
  /** `output_config` and `thinking`. */
  readonly fields: JsonObject;
  /** Asks for what no field asks for. */
  readonly instruction: string | null;
}

/** Translates `response_format` and `reasoning_effort`; a field of the Messages API that is given as well wins. */
export function translateOutput(request: JsonObject, ignore: Ignore): TranslatedOutput {
  const own = isJsonObject(request.output_config) ? request.output_config : {};
  const { format, instruction } = translateFormat(request.response_format);
  const { effort, thinking } = translateEffort(request, ignore);
  const config = { ...(format ? { format } : {}), ...(effort === undefined ? {} : { effort }), ...own };
  const thinks = isGiven(request.thinking) ? request.thinking : thinking;
  return {
    fields: {
      ...(Object.keys(config).length > 0 ? { output_config: config } : {}),
      ...(thinks === undefined ? {} : { thinking: thinks }),
    },
    instruction,
  };
}

function translateFormat(format: unknown): { format?: JsonObject; instruction: string | null } {
  if (!isGiven(format)) return { instruction: null };
  const { type, json_schema: named } = isJsonObject(format) ? format : {};
  switch (type) {
    case 'text':
      return { instruction: null };
    case 'json_object':
      return { instruction: JSON_INSTRUCTION };
    case 'json_schema': {
      const schema = translateSchema(
        isJsonObject(named) ? named.schema : undefined,
        'response_format.json_schema.schema',
      );
      return { format: { type, schema }, instruction: null };
    }
    default:
      throw invalid('response_format.type', 'response_format.type must be text, json_object or json_schema.');
  }
}

/** `none` is as little thinking as the model allows; `minimal`, which Claude does not have, is its lowest effort. */
function translateEffort(
  { model, reasoning_effort: asked }: JsonObject,
  ignore: Ignore,
): { effort?: unknown; thinking?: unknown } {
  if (!isGiven(asked)) return {};
  const facts = findClaudeModel(String(model));
  const least = asked === 'none' || asked === 'minimal';
  if (!least && !EFFORTS.includes(String(asked))) {
    throw invalid('reasoning_effort', `reasoning_effort must be none, minimal, ${EFFORTS.join(', ')}.`);
  }
  // Older models think only when asked to, and know no effort.
  if (facts.effort === undefined) {
    if (asked !== 'none') ignore('reasoning_effort');
    return {};
  }
  if (!least) return { effort: asked };
  return { effort: facts.effort, ...(asked === 'none' && facts.thinking ? { thinking: facts.thinking } : {}) };
}
