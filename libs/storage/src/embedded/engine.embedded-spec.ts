import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { EmbeddedHub } from './embedded-hub.js';
import { EngineCrashedError } from './engine.js';

describe('a crash of the embedded engine', () => {
  it('ends every client with an error and is reported once', async () => {
    const db = await PGlite.create();
    const { trap } = makeTrap(db);
    const reports: EngineCrashedError[] = [];
    const onCrash = (error: EngineCrashedError): void => void reports.push(error);
    const hub = new EmbeddedHub(db, { serverVersion: '18', lockTimeoutMs: 5_000, onCrash });
    const clients = [1, 2, 3].map(() => new pg.Client({ stream: hub.createStream }));
    const crashesSeen = new Set<pg.Client>();
    for (const client of clients)
      client.on('error', (error) => error instanceof EngineCrashedError && crashesSeen.add(client));
    await Promise.all(clients.map((client) => client.connect()));
    await clients[0]!.query('BEGIN');
    const waiting = clients[1]!.query('SELECT 1').catch((error: unknown) => error);

    trap();
    const failed = await clients[0]!.query('SELECT 2').catch((error: unknown) => error);

    expect(failed).toBeInstanceOf(EngineCrashedError);
    expect(await waiting).toBeInstanceOf(EngineCrashedError);
    expect(crashesSeen.size).toBe(3);
    expect(reports).toHaveLength(1);
    await expect(hub.close()).resolves.toBeUndefined();
  });
});

/** After `trap()`, the main loop of the engine ends like a trap in WebAssembly code. */
function makeTrap(db: PGlite): { trap: () => void } {
  const module = db.Module as unknown as { _PostgresMainLoopOnce: () => void };
  const runOnce = module._PostgresMainLoopOnce;
  let trapped = false;
  module._PostgresMainLoopOnce = () => {
    if (trapped) throw new Error('unreachable');
    runOnce();
  };
  return {
    trap: () => {
      trapped = true;
    },
  };
}
