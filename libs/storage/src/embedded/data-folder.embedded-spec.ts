import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { acquireDataFolderLock, DataFolderInUseError } from './data-folder-lock.js';
import { openEmbeddedDatabase } from './open-embedded-database.js';

const HOOKS = pathToFileURL(resolve(__dirname, '../../../../scripts/test/source-hooks.mjs')).href;
const urlOf = (file: string) => JSON.stringify(pathToFileURL(resolve(__dirname, file)).href);
const PG = pathToFileURL(require.resolve('pg')).href;

/** Runs `body` in another process, with the embedded database and a data folder. */
function startChild(
  folder: string,
  body: string,
): { child: ChildProcess; nextLine: () => Promise<string | undefined> } {
  const code = `
    import { registerSourceHooks } from ${JSON.stringify(HOOKS)};
    registerSourceHooks();
    const { openEmbeddedDatabase } = await import(${urlOf('open-embedded-database.ts')});
    const { acquireDataFolderLock } = await import(${urlOf('data-folder-lock.ts')});
    const { default: pg } = await import(${JSON.stringify(PG)});
    const folder = ${JSON.stringify(folder)};
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, nextLine: async () => (await lines.next()).value };
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

describe('the data folder of the embedded database', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'annals-folder-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is refused to a second process with advice, and free as soon as the first is killed', async () => {
    const { child, nextLine } = startChild(
      folder,
      // Referenced, or it would be collected and released.
      `globalThis.lock = acquireDataFolderLock(folder); console.log('held'); setInterval(() => {}, 1e6);`,
    );
    expect(await nextLine()).toBe('held');
    expect(() => acquireDataFolderLock(folder)).toThrow(DataFolderInUseError);
    expect(() => acquireDataFolderLock(folder)).toThrow('Stop that process, or choose another folder.');
    await kill(child);
    acquireDataFolderLock(folder).release();
  });

  it('is locked by a file that only its owner can read, without a warning', async () => {
    const { child, nextLine } = startChild(folder, `acquireDataFolderLock(folder); console.log('held');`);
    const warnings: string[] = [];
    child.stderr!.on('data', (text: Buffer) => warnings.push(String(text)));
    const exit = once(child, 'close');
    expect(await nextLine()).toBe('held');
    await exit;
    expect(warnings).toEqual([]);
    expect(statSync(join(folder, 'annals.lock')).mode & 0o777).toBe(0o600);
  });

  it('is also locked within one process, until it is released', () => {
    const lock = acquireDataFolderLock(folder);
    expect(() => acquireDataFolderLock(folder)).toThrow(DataFolderInUseError);
    lock.release();
    acquireDataFolderLock(folder).release();
  });

  it('contains all committed rows and no others after its process was killed during writes', async () => {
    const { child, nextLine } = startChild(
      folder,
      `const db = await openEmbeddedDatabase({ location: { folder } });
       const client = new pg.Client({ stream: db.createStream });
       await client.connect();
       await client.query('CREATE TABLE written (n int PRIMARY KEY, filler text)');
       for (let n = 1; ; n++) {
         await client.query('BEGIN');
         await client.query("INSERT INTO written VALUES ($1, repeat('x', 500))", [n]);
         await client.query('INSERT INTO written VALUES ($1, NULL)', [-n]);
         await client.query('COMMIT');
         console.log(n);
       }`,
    );
    let committed = 0;
    while (committed < 200) committed = Number(await nextLine());
    await kill(child);
    for (let line = await nextLine(); line !== undefined; line = await nextLine()) committed = Number(line);

    const db = await openEmbeddedDatabase({ location: { folder } });
    const client = new pg.Client({ stream: db.createStream });
    await client.connect();
    const { rows } = await client.query<{ positive: number; negative: number; last: number }>(
      'SELECT count(*) FILTER (WHERE n > 0)::int AS positive, count(*) FILTER (WHERE n < 0)::int AS negative, max(n) AS last FROM written',
    );
    const { positive, negative, last } = rows[0]!;
    expect(negative).toBe(positive);
    expect(last).toBe(positive);
    // The process may have been killed between a commit and the line that reports it.
    expect(last - committed).toBeGreaterThanOrEqual(0);
    expect(last - committed).toBeLessThanOrEqual(1);
    await client.end();
    await db.close();
  });

  it('initializes the database again when its process was killed during the first initialization', async () => {
    const { child, nextLine } = startChild(
      folder,
      `import { existsSync } from 'node:fs';
       const opening = openEmbeddedDatabase({ location: { folder } });
       const watch = setInterval(() => { if (existsSync(folder + '/database.new')) { clearInterval(watch); console.log('half'); } }, 1);
       await opening; setInterval(() => {}, 1e6);`,
    );
    expect(await nextLine()).toBe('half');
    await kill(child);
    const db = await openEmbeddedDatabase({ location: { folder } });
    const client = new pg.Client({ stream: db.createStream });
    await client.connect();
    await client.query('CREATE EXTENSION vector');
    expect((await client.query("SELECT '[1,2]'::vector <-> '[1,2]' AS distance")).rows).toEqual([{ distance: 0 }]);
    await client.end();
    await db.close();
  });

  it('starts from a snapshot of another database', async () => {
    const first = await openEmbeddedDatabase({ location: 'memory' });
    const writer = new pg.Client({ stream: first.createStream });
    await writer.connect();
    await writer.query('CREATE TABLE carried AS SELECT 42 AS n');
    const snapshot = await first.dump();
    await writer.end();
    await first.close();
    const second = await openEmbeddedDatabase({ location: { folder }, snapshot });
    const reader = new pg.Client({ stream: second.createStream });
    await reader.connect();
    expect((await reader.query('SELECT n FROM carried')).rows).toEqual([{ n: 42 }]);
    await reader.end();
    await second.close();
  });
});
