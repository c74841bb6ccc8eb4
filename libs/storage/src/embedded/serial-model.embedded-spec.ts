import fc from 'fast-check';
import pg from 'pg';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './open-embedded-database.js';

const CLIENTS = 20;
const RUNS = 8;

interface Step {
  readonly key: string;
  /** Added to the key's value; undefined only reads it. */
  readonly add: number | undefined;
  /** Turns of the event loop before the step. */
  readonly pause: number;
}

interface Script {
  readonly steps: readonly Step[];
  readonly ending: 'COMMIT' | 'ROLLBACK';
  /** Steps between a savepoint and its rollback, which must leave no trace. */
  readonly undone: readonly Step[];
}

interface Trace {
  readonly turn: number;
  readonly script: Script;
  readonly seen: readonly number[];
  readonly identity: string;
}

const step = fc.record<Step>({
  key: fc.constantFrom('x', 'y', 'z'),
  add: fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined }),
  pause: fc.integer({ min: 0, max: 3 }),
});
const script = fc.record<Script>({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  ending: fc.constantFrom('COMMIT', 'COMMIT', 'ROLLBACK'),
  undone: fc.array(step, { maxLength: 2 }),
});
const plan = fc.array(fc.array(script, { minLength: 1, maxLength: 3 }), { minLength: CLIENTS, maxLength: CLIENTS });

describe('twenty randomly interleaved clients', () => {
  let db: EmbeddedDatabase;
  let clients: pg.Client[];
  let observer: pg.Client;

  beforeAll(async () => {
    db = await openEmbeddedDatabase({ location: 'memory', lockTimeoutMs: 60_000 });
    observer = new pg.Client({ stream: db.createStream });
    await observer.connect();
    await observer.query(
      'CREATE ROLE annals_app; CREATE SEQUENCE turns; CREATE TABLE counters (key text PRIMARY KEY, value int NOT NULL); ' +
        'GRANT ALL ON counters, turns TO annals_app',
    );
    clients = Array.from({ length: CLIENTS }, (_, index) => {
      const role = index % 2 === 0 ? '-c role=annals_app ' : '';
      return new pg.Client({ stream: db.createStream, options: `${role}-c search_path=client_${index},public` });
    });
    await Promise.all(clients.map((client) => client.connect()));
  });
  afterAll(async () => {
    await Promise.all([...clients, observer].map((client) => client.end()));
    await db.close();
  });

  it('get the same results as in a serial execution, each under its own role and search path', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (scripts) => {
        await observer.query("TRUNCATE counters; INSERT INTO counters VALUES ('x', 0), ('y', 0), ('z', 0)");
        const traces = await Promise.all(clients.map((client, index) => runScripts(client, scripts[index]!)));
        traces.forEach((ofClient, index) => {
          const identity = `${index % 2 === 0 ? 'annals_app' : 'postgres'} client_${index},public`;
          for (const trace of ofClient) expect(trace.identity).toBe(identity);
        });
        const { rows } = await observer.query<{ key: string; value: number }>('SELECT key, value FROM counters');
        expect(new Map(rows.map(({ key, value }) => [key, value]))).toEqual(replay(traces.flat()));
      }),
      { seed: 20261121, numRuns: RUNS },
    );
  });
});

async function runScripts(client: pg.Client, scripts: readonly Script[]): Promise<Trace[]> {
  const traces: Trace[] = [];
  for (const each of scripts) {
    await client.query('BEGIN');
    const { rows } = await client.query<{ turn: string; identity: string }>(
      "SELECT nextval('turns') AS turn, current_user || ' ' || current_setting('search_path') AS identity",
    );
    await client.query('SAVEPOINT undone');
    for (const undone of each.undone) await take(client, undone);
    await client.query('ROLLBACK TO SAVEPOINT undone');
    const seen: number[] = [];
    for (const taken of each.steps) seen.push(await take(client, taken));
    await client.query(each.ending);
    traces.push({ turn: Number(rows[0]!.turn), identity: rows[0]!.identity, script: each, seen });
  }
  return traces;
}

async function take(client: pg.Client, { key, add, pause }: Step): Promise<number> {
  for (let turn = 0; turn < pause; turn++) await new Promise((resolve) => setImmediate(resolve));
  const sql =
    add === undefined
      ? { name: 'read', text: 'SELECT value FROM counters WHERE key = $1', values: [key] }
      : { text: 'UPDATE counters SET value = value + $2 WHERE key = $1 RETURNING value', values: [key, add] };
  const { rows } = await client.query<{ value: number }>(sql);
  return rows[0]!.value;
}

/** The serial model: transactions one after another, in the order in which they got the lock. */
function replay(traces: readonly Trace[]): Map<string, number> {
  let state = new Map([
    ['x', 0],
    ['y', 0],
    ['z', 0],
  ]);
  for (const { script: each, seen } of traces.toSorted((a, b) => a.turn - b.turn)) {
    const own = new Map(state);
    const expected = each.steps.map(({ key, add }) => {
      own.set(key, own.get(key)! + (add ?? 0));
      return own.get(key);
    });
    expect(seen).toEqual(expected);
    if (each.ending === 'COMMIT') state = own;
  }
  return state;
}
