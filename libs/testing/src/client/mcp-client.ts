import type { Client as ModernClient } from '@modelcontextprotocol/client';
import type { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';

export interface McpToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
}

export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly annotations?: Record<string, unknown> | undefined;
  readonly inputSchema: { readonly properties?: Record<string, unknown> | undefined };
  readonly outputSchema?: Record<string, unknown> | undefined;
}

/** A client of the official SDK, which validates structured content by the output schemas of the tools. */
export interface McpClient {
  /** Revision of the protocol that both sides speak. */
  readonly revision: string | undefined;
  readonly instructions: string | undefined;
  listTools(): Promise<McpTool[]>;
  /** Throws for an error of the protocol. */
  call(name: string, args?: Record<string, unknown>): Promise<McpToolResult>;
  close(): Promise<void>;
}

/** Connects to `/mcp` below `url` with an API key. */
export type ConnectMcp = (url: string, key: string) => Promise<McpClient>;

/** Each generation of the official SDK, with the revision of the protocol that it has to speak. */
export const MCP_CLIENTS: [revision: string, connect: ConnectMcp][] = [
  ['2026-07-28', connectModern],
  ['2025-11-25', connectLegacy],
];

const INFO = { name: 'annals-spec', version: '1' };

/** Without falling back to a revision before. */
async function connectModern(url: string, key: string): Promise<McpClient> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), withKey(key)));
  return wrap(client, client.getNegotiatedProtocolVersion());
}

async function connectLegacy(url: string, key: string): Promise<McpClient> {
  const [{ Client }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ]);
  const client = new Client(INFO);
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), withKey(key));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return wrap(client, transport.protocolVersion);
}

function withKey(key: string) {
  return { requestInit: { headers: { authorization: `Bearer ${key}` } } };
}

function wrap(client: ModernClient | LegacyClient, revision: string | undefined): McpClient {
  return {
    revision,
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools as McpTool[],
    async call(name, args = {}) {
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
      return {
        isError: isError as boolean,
        text: (content as { text: string }[]).map(({ text }) => text).join('\n'),
        structured: structuredContent as Record<string, unknown> | undefined,
      };
    },
    close: () => client.close(),
  };
}
