import { ProblemError } from '@annals/contracts';
import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { RefusedCall } from './rest-calls.js';
import type { ToolContext } from './tools/define-tool.js';
import { type ToolsOfKey, UNBOUND_KEY } from './tools/tools-of-key.js';

/** Of the tools and their schemas, not of the release. */
const SERVER = { name: 'annals', title: 'Annals', version: '1' };

export interface ServerOfKey extends ToolsOfKey {
  /** Null for a key that is bound to no user. */
  readonly context: ToolContext | null;
  /** Told of errors that are bugs. */
  readonly report: (error: unknown) => void;
}

/** Each holds a connection. */
const MAX_SUBSCRIPTIONS = 256;

/** Answers a message of the protocol by a server of its own, which has the tools of the caller's key. */
export type AnswerMessage = (request: Request, message: unknown, key: ServerOfKey) => Promise<Response>;

export function createAnswerer(): AnswerMessage {
  const handler = createMcpHandler(({ authInfo }) => createServer(readServer(authInfo)), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  return (request, parsedBody, key) => handler.fetch(request, { authInfo: wrapServer(key), parsedBody });
}

/** The SDK hands its `authInfo` to whatever makes the server of a request. The key itself stays out of it. */
function wrapServer(server: ServerOfKey): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { server } };
}

function readServer(authInfo: AuthInfo | undefined): ServerOfKey {
  return authInfo!.extra!['server'] as ServerOfKey;
}

function createServer(key: ServerOfKey): Server {
  const server = new Server(SERVER, { capabilities: { tools: {} }, instructions: describeTools(key) });
  server.setRequestHandler('tools/list', () => ({
    tools: [...key.tools.values()].map(({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', ({ params }) => callTool(key, params));
  return server;
}

function describeTools({ tools, context }: ServerOfKey): string {
  if (context === null) return UNBOUND_KEY;
  const uses = [...tools.values()].map(({ use }) => use);
  return ['Long-term memory about one person, the user of this conversation.', ...uses].join(' ');
}

async function callTool(
  { tools, missing, context, report }: ServerOfKey,
  params: { readonly name: string; readonly arguments?: unknown },
): Promise<CallToolResult> {
  const { name } = params;
  const tool = tools.get(name);
  if (!tool || context === null) {
    const reason = missing.get(name);
    if (reason !== undefined) return refuse(reason);
    const known = [...tools.keys(), ...missing.keys()].join(', ');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such tool. The tools are: ${known}.`);
  }
  try {
    return await tool.call(params.arguments, context);
  } catch (error) {
    if (error instanceof ProblemError) return refuse(error.detail);
    if (error instanceof RefusedCall) return refuse(error.problem.detail);
    report(error);
    return refuse('The tool failed. Call it again; if it fails again, tell the operator of this memory.');
  }
}

/** A sentence that the model reads, and acts on. */
function refuse(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
