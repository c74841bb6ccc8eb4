import { type AnnalsSystem, ApiClient, MCP_STDIO_CLIENTS, type McpClient, startSystem } from '@annals/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { documentedBlock } from '../documented-blocks.js';
import { environmentOf, NODES, programIn } from './cli-program.js';
import { installSdk } from './install-sdk.js';

describe('annals-sdk mcp, which clients start as a program', () => {
  let folder: string;
  let system: AnnalsSystem;
  let key: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-bridge-'));
    installSdk(folder);
    system = await startSystem();
    key = await createKey('ada');
  });
  afterAll(async () => {
    await system?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function createKey(user: string): Promise<string> {
    const admin = new ApiClient(() => system.nextUrl(), system.tenantKey);
    const body = { name: 'desktop', user_id: user, scopes: ['query' as const, 'ingest' as const] };
    return (await admin.must('createKey', { body })).key!;
  }

  describe.each(NODES)('on $title', (node) => {
    const envWith = (over: Record<string, string> = {}) => ({
      ...environmentOf(node),
      ANNALS_URL: system.nextUrl(),
      ANNALS_API_KEY: key,
      ...over,
    });

    describe.each(MCP_STDIO_CLIENTS)('with a client of revision %s', (revision, connect) => {
      let client: McpClient;
      beforeAll(async () => {
        const own = await createKey(`${node.title}, ${revision}`);
        client = await connect({ command: programIn(folder), args: ['mcp'], env: envWith({ ANNALS_API_KEY: own }) });
      });
      afterAll(() => client?.close());

      it('passes on tools, results and errors', async () => {
        expect(client.revision).toBe(revision);
        expect(client.instructions).toContain('Long-term memory');
        expect((await client.listTools()).map(({ name }) => name)).toContain('memory_query');
        const text = 'I like green tea – „mit Milch“.';
        expect(await client.call('memory_remember', { text })).toMatchObject({ structured: { accepted: 1 } });
        expect((await client.call('memory_query', { query: 'tea' })).text).toContain(text);
        expect(await client.call('memory_query', { query: 'tea', user_id: 'bob' })).toMatchObject({ isError: true });
        await expect(client.call('memory_erase')).rejects.toThrow('There is no such tool.');
      });

      it('serves several calls at once', async () => {
        const answers = await Promise.all([1, 2, 3, 4, 5].map(() => client.call('memory_query', { query: 'tea' })));
        for (const answer of answers) expect(answer.isError).toBe(false);
      });
    });

    /** Starts the program, and sends it lines and reads what it answers. */
    function start(env: Record<string, string>, program = programIn(folder), args = ['mcp']) {
      const child = spawn(program, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
      const closed = once(child, 'exit').then(([code]) => code as number | null);
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      return {
        send: (message: unknown) =>
          child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
        read: async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>,
        stopReading: () => child.stdout.destroy(),
        closed,
        end() {
          child.stdin.end();
          return closed;
        },
      };
    }
    const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
    const refusal = (id: number | null, code: number, message: unknown) => ({
      jsonrpc: '2.0',
      id,
      error: { code, message },
    });

    it('tells a client why it was refused, and that a line is no message', async () => {
      const bridge = start(envWith({ ANNALS_API_KEY: 'ann_unknown' }));
      bridge.send(list(1));
      expect(await bridge.read()).toEqual(refusal(1, -32_000, 'The API key is unknown or was revoked.'));
      bridge.send('no json');
      expect(await bridge.read()).toEqual(refusal(null, -32_700, 'The message is no JSON.'));
      expect(await bridge.end()).toBe(0);
    });

    it('tells a client that Annals cannot be reached, and goes on', async () => {
      const bridge = start(envWith({ ANNALS_URL: 'http://127.0.0.1:1' }));
      for (const id of [1, 2]) {
        bridge.send(list(id));
        expect(await bridge.read()).toEqual(refusal(id, -32_000, expect.stringContaining('check ANNALS_URL')));
      }
      expect(await bridge.end()).toBe(0);
    });

    it('closes the connection of a request that the client cancels, and answers nothing to it', async () => {
      // Accepts connections, and never answers.
      const silent = createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const connected = once(silent, 'connection');
      const { port } = silent.address() as { port: number };
      const bridge = start(envWith({ ANNALS_URL: `http://127.0.0.1:${port}` }));
      bridge.send(list(1));
      const [socket] = (await connected) as [Socket];
      socket.resume();
      const closed = once(socket, 'close');
      bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      await closed;
      bridge.send('no json');
      expect(await bridge.read()).toMatchObject({ id: null });
      expect(await bridge.end()).toBe(0);
      silent.close();
    });

    it('starts as the documentation says', async () => {
      const { mcpServers } = JSON.parse(documentedBlock('mcp.md', 'json', 'claude_desktop_config.json')) as {
        mcpServers: { annals: { command: string; args: string[]; env: Record<string, string> } };
      };
      const { command, args, env } = mcpServers.annals;
      expect(Object.keys(env)).toEqual(['ANNALS_URL', 'ANNALS_API_KEY']);
      // Of npx: the package that is installed in the folder, and none of a registry.
      const bridge = start(envWith({ HOME: homedir(), npm_config_offline: 'true' }), command, args);
      bridge.send(list(1));
      expect(await bridge.read()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
      expect(await bridge.end()).toBe(0);
    });

    it('answers what was asked before the client closed the standard input', async () => {
      const bridge = start(envWith());
      bridge.send(list(1));
      const answer = bridge.read();
      expect(await bridge.end()).toBe(0);
      expect(await answer).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    });

    it('ends with its client, although a subscription is open', async () => {
      const bridge = start(envWith());
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { _meta, notifications: { toolsListChanged: true } };
      bridge.send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
      expect(await bridge.read()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
      expect(await bridge.end()).toBe(0);
    });

    it('ends when nobody reads its answers any more', async () => {
      const bridge = start(envWith());
      bridge.stopReading();
      bridge.send('no json');
      expect(await bridge.closed).toBe(0);
    });
  });
});
