import { z } from 'zod';

/** The form of a request to `POST /v1/messages` of API version 2026-10-21: what it does not name is an error. */

const cacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish();
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  cache_control: cacheControl,
  citations: z.array(z.unknown()).nullish(),
});
const base64 = z.base64().min(1);
const url = z.strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https?$/ }) });
const image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: base64,
    }),
    url,
    z.strictObject({ type: z.literal('file'), file_id: z.string() }),
  ]),
  cache_control: cacheControl,
});
const document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: base64 }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string().min(1) }),
    url,
    z.strictObject({ type: z.literal('file'), file_id: z.string() }),
  ]),
  cache_control: cacheControl,
  citations: z.strictObject({ enabled: z.boolean().optional() }).nullish(),
  context: z.string().nullish(),
  title: z.string().min(1).nullish(),
});
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[\w-]+$/),
  name: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()),
  caller: z.unknown().optional(),
  cache_control: cacheControl,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().regex(/^[\w-]+$/),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document]))]).optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl,
});
const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) });
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) });

const BLOCKS = {
  user: z.discriminatedUnion('type', [text, image, document, toolResult]),
  assistant: z.discriminatedUnion('type', [text, toolUse, thinking, redacted]),
  system: z.discriminatedUnion('type', [text]),
};

function message<Role extends keyof typeof BLOCKS>(role: Role) {
  return z.strictObject({ role: z.literal(role), content: z.union([z.string(), z.array(BLOCKS[role])]) });
}

const tool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: z.string().regex(/^[\w-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  strict: z.boolean().optional(),
  cache_control: cacheControl,
  input_examples: z.array(z.record(z.string(), z.unknown())).optional(),
  eager_input_streaming: z.boolean().nullish(),
});
const parallel = { disable_parallel_tool_use: z.boolean().optional() };
const display = { display: z.enum(['summarized', 'omitted']).nullish() };

export const messagesRequest = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  messages: z.array(z.discriminatedUnion('role', [message('user'), message('assistant'), message('system')])).min(1),
  cache_control: cacheControl,
  inference_geo: z.string().nullish(),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).nullish(),
    })
    .optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  speed: z.enum(['standard', 'fast']).nullish(),
  stop_sequences: z.array(z.string().regex(/\S/, 'each stop sequence must contain non-whitespace')).optional(),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(text)]).optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('adaptive'), ...display }),
      z.strictObject({ type: z.literal('disabled') }),
      z.strictObject({ type: z.literal('between_tools') }),
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1_024), ...display }),
    ])
    .optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('auto'), ...parallel }),
      z.strictObject({ type: z.literal('any'), ...parallel }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), ...parallel }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .optional(),
  tools: z.array(tool).optional(),
});

export type MessagesRequest = z.infer<typeof messagesRequest>;
export type RequestBlock = Exclude<MessagesRequest['messages'][number]['content'], string>[number];
