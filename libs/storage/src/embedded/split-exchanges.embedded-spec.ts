import { encodeMessage, encodeParse, encodeQuery, encodeStrings, SYNC } from './wire-messages.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './open-embedded-database.js';
import type { HubStream } from './hub-stream.js';

const STARTUP = Buffer.from('000000090003000000', 'hex');
const BIND = encodeMessage('B', encodeStrings('', ''), Buffer.alloc(6));
const EXECUTE = encodeMessage('E', encodeStrings(''), Buffer.alloc(4));
const FLUSH = encodeMessage('H');

/** A client that sends single protocol messages, like drivers that parse and bind in separate round trips. */
class RawClient {
  private received = Buffer.alloc(0);
  private wake: (() => void) | undefined;
  readonly stream: HubStream;

  static async connect(database: EmbeddedDatabase): Promise<RawClient> {
    const client = new RawClient(database);
    await client.send('Z', STARTUP);
    return client;
  }

  private constructor(database: EmbeddedDatabase) {
    this.stream = database.createStream();
    this.stream.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake?.();
    });
  }

  /** Sends, waits for a message of type `last`, and returns the types of all messages and the text of the last row. */
  async send(last: string, ...messages: Buffer[]): Promise<{ types: string; row: string | undefined }> {
    this.received = Buffer.alloc(0);
    this.stream.write(Buffer.concat(messages));
    for (;;) {
      const answer = readAnswer(this.received);
      if (answer.types.endsWith(last)) return answer;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

function readAnswer(bytes: Buffer): { types: string; row: string | undefined } {
  let types = '';
  let row: string | undefined;
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const type = String.fromCharCode(bytes[at]!);
    types += type;
    if (type === 'D') row = bytes.toString('utf8', at + 11, at + 1 + bytes.readInt32BE(at + 1));
  }
  return { types, row };
}

describe('clients that parse, bind and run in separate round trips', () => {
  let db: EmbeddedDatabase;

  beforeAll(async () => {
    db = await openEmbeddedDatabase({ location: 'memory', lockTimeoutMs: 1_000 });
  });
  afterAll(() => db.close());

  it('run each their own unnamed statement', async () => {
    const [a, b] = [await RawClient.connect(db), await RawClient.connect(db)];
    expect((await a.send('Z', encodeParse('', "SELECT 'of a'"), SYNC)).types).toBe('1Z');
    expect((await b.send('Z', encodeParse('', "SELECT 'of b'"), SYNC)).types).toBe('1Z');
    expect(await a.send('Z', BIND, EXECUTE, SYNC)).toEqual({ types: '2DCZ', row: 'of a' });
    expect(await b.send('Z', BIND, EXECUTE, SYNC)).toEqual({ types: '2DCZ', row: 'of b' });
  });

  it('block other clients from a Flush to the Sync, and unblock them when they disconnect in between', async () => {
    const [a, b] = [await RawClient.connect(db), await RawClient.connect(db)];
    const insert = encodeParse('', 'CREATE TABLE half_done (a int)');
    expect((await a.send('C', insert, BIND, EXECUTE, FLUSH)).types).toBe('12C');
    const waiting = b.send('Z', encodeParse('', "SELECT to_regclass('half_done') IS NULL"), BIND, EXECUTE, SYNC);
    a.stream.destroy();
    expect((await waiting).row).toBe('t');
  });

  it('leave no open transaction when they disconnect after an error and before its Sync', async () => {
    const [a, b] = [await RawClient.connect(db), await RawClient.connect(db)];
    await a.send('Z', encodeQuery('BEGIN; CREATE TABLE half_done (a int)'));
    expect((await a.send('E', encodeParse('', 'no such statement'), FLUSH)).types).toBe('E');
    const waiting = b.send('Z', encodeQuery("SELECT to_regclass('half_done') IS NULL"));
    a.stream.destroy();
    expect((await waiting).row).toBe('t');
  });
});
