import {
  type AnnalsSystem,
  ApiClient,
  MCP_STDIO_CLIENTS,
  type McpClient,
  runProgram,
  startSystem,
} from '@annals/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = path.resolve(import.meta.dirname, '../../packages/mcp/dist/main.js');

describe('annals-mcp, which clients start as a program', () => {
  let system: AnnalsSystem;
  let key: string;
  beforeAll(async () => {
    system = await startSystem();
    const admin = new ApiClient(() => system.nextUrl(), system.tenantKey);
    const body = { name: 'desktop', user_id: 'ada', scopes: ['query' as const, 'ingest' as const] };
    key = (await admin.must('createKey', { body })).key!;
  });
  afterAll(() => system?.close());

  const envWith = (over: Record<string, string> = {}) => ({
    ANNALS_URL: system.nextUrl(),
    ANNALS_API_KEY: key,
    ...over,
  });

  describe.each(MCP_STDIO_CLIENTS)('with a client of revision %s', (revision, connect) => {
    let client: McpClient;
    beforeAll(async () => {
      client = await connect({ command: process.execPath, args: [PROGRAM], env: envWith() });
    });
    afterAll(() => client?.close());

    it('passes on tools, results and errors', async () => {
      expect(client.revision).toBe(revision);
      expect(client.instructions).toContain('Long-term memory');
      expect((await client.listTools()).map(({ name }) => name)).toContain('memory_query');
      const text = `I like tea number ${revision.slice(0, 4)} – „mit Milch“.`;
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
  function start(env: Record<string, string>) {
    // Not spawnNode: that keeps the standard input to itself.
    const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return {
      send: (message: unknown) =>
        child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
      read: async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>,
      async end() {
        child.stdin.end();
        const [code] = (await closed) as [number | null];
        return code;
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
    const [socket] = (await connected) as [NodeJS.EventEmitter & { resume(): void }];
    socket.resume();
    const closed = once(socket, 'close');
    bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await closed;
    bridge.send('no json');
    expect(await bridge.read()).toMatchObject({ id: null });
    expect(await bridge.end()).toBe(0);
    silent.close();
  });

  it.each([
    ['ANNALS_API_KEY', { ANNALS_API_KEY: '' }],
    ['ANNALS_URL', { ANNALS_URL: 'memory' }],
  ])('does not start without %s, and says what to set', async (name, over) => {
    const { code, stdout, stderr } = await runProgram(PROGRAM, [], envWith(over));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^annals-mcp: Set ${name} to .+\\.\n$`));
  });
});
