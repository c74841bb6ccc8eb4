import type { RouteDefinition } from '@annals/contracts';
import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parsePart } from '../../http/parse-input.js';
import type { RestCalls } from '../rest-calls.js';

/** What a tool has beside its arguments. Whose memory it is comes from here alone. */
export interface ToolContext {
  /** The user that the key is bound to. */
  readonly userId: string;
  readonly rest: RestCalls;
  /** Epoch ms. */
  readonly now: number;
  /** An id that is equal for equal parts, and says nothing about them. */
  readonly deriveId: (...parts: readonly string[]) => string;
}

export interface Tool {
  readonly definition: ToolDefinition;
  /** A key has the tool if it may call all of these. */
  readonly routes: readonly RouteDefinition[];
  /** When a model should call it, for the instructions. */
  readonly use: string;
  /** Throws ProblemError for arguments that the schema refuses. */
  call(args: unknown, context: ToolContext): Promise<CallToolResult>;
}

interface ToolSource<Input extends z.ZodObject, Output extends z.ZodObject>
  extends Pick<Tool, 'routes' | 'use'>, Pick<ToolDefinition, 'name' | 'title' | 'description' | 'annotations'> {
  readonly input: Input;
  readonly output: Output;
  readonly run: (
    args: z.output<Input>,
    context: ToolContext,
  ) => Promise<{ readonly text: string; readonly structured: z.input<Output> }>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  source: ToolSource<Input, Output>,
): Tool {
  const { routes, use, input, output, run, ...described } = source;
  return {
    routes,
    use,
    definition: {
      ...described,
      inputSchema: renderSchema(input, 'input'),
      outputSchema: renderSchema(output, 'output'),
    },
    async call(args, context) {
      const { text, structured } = await run(parsePart('arguments', input, args ?? {}), context);
      return { content: [{ type: 'text', text }], structuredContent: structured };
    },
  };
}

/** Without the dialect, which is the default one of the protocol: models read each of these tokens. */
function renderSchema(schema: z.ZodObject, io: 'input' | 'output'): ToolDefinition['inputSchema'] {
  const { $schema: _dialect, ...rendered } = z.toJSONSchema(schema, { io });
  return rendered as ToolDefinition['inputSchema'];
}
