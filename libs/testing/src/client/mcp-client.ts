import type { Client as ModernClient } from '@modelcontextprotocol/client';
import type { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';

interface McpToolResult {
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
  [
    '2026-07-28',
    async (url, key) => {
      const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
      return connectModern(new StreamableHTTPClientTransport(new URL('/mcp', url), withKey(key)));
    },
  ],
  [
    '2025-11-25',
    async (url, key) => {
      const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
      return connectLegacy(new StreamableHTTPClientTransport(new URL('/mcp', url), withKey(key)));
    },
  ],
];

/** The same for a program that they start and speak to over its standard input and output. */
export const MCP_STDIO_CLIENTS: [revision: string, connect: (program: StdioProgram) => Promise<McpClient>][] = [
  [
    '2026-07-28',
    async (program) => {
      const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
      return connectModern(new StdioClientTransport(program));
    },
  ],
  [
    '2025-11-25',
    async (program) => {
      const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
      return connectLegacy(new StdioClientTransport(program));
    },
  ],
];

interface StdioProgram {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const INFO = { name: 'annals-spec', version: '1' };

function withKey(key: string) {
  return { requestInit: { headers: { authorization: `Bearer ${key}` } } };
}

/** Without falling back to a revision before. */
async function connectModern(transport: Parameters<ModernClient['connect']>[0]): Promise<McpClient> {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(transport);
  return wrap(client, client.getNegotiatedProtocolVersion());
}

/** The types of this generation do not agree with `exactOptionalPropertyTypes`. */
async function connectLegacy(given: object): Promise<McpClient> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const client = new Client(INFO);
  const transport = given as Parameters<LegacyClient['connect']>[0];
  let revision: string | undefined;
  const tellTransport = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    tellTransport?.(version);
  };
  await client.connect(transport);
  return wrap(client, revision);
}

function wrap(client: ModernClient | LegacyClient, revision: string | undefined): McpClient {
  return {
    revision,
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools,
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
