import { createPostgresBackend, type Job, Queue, QueueEvents, runMigrations, Worker } from 'bullmq';
import { createTestPool } from '@annals/testing';
import type pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';
import { openEmbeddedDatabase, type EmbeddedDatabase } from './open-embedded-database.js';

interface Note {
  id: number;
  body: string;
  embedding: number[];
}

const Notes = new EntitySchema<Note>({
  name: 'Note',
  tableName: 'notes',
  columns: {
    id: { type: Number, primary: true },
    body: { type: String, unique: true },
    embedding: { type: 'vector', length: 3 },
  },
});

describe('TypeORM and BullMQ on the same embedded database', () => {
  let db: EmbeddedDatabase;
  let source: DataSource;
  let pool: pg.Pool;

  beforeAll(async () => {
    db = await openEmbeddedDatabase({ location: 'memory' });
    source = new DataSource({
      type: 'postgres',
      entities: [Notes],
      synchronize: true,
      uuidExtension: 'pgcrypto',
      extra: { stream: db.createStream, pipeline: true, max: 8 },
    });
    await source.initialize();
    pool = createTestPool({ stream: db.createStream, options: '-c search_path=bullmq', max: 10, keepAlive: true });
    const migrator = await pool.connect();
    await runMigrations(migrator, 'bullmq');
    migrator.release();
  });
  beforeEach(() => source.getRepository(Notes).clear());
  afterAll(async () => {
    await source.destroy();
    await pool.end();
    await db.close();
  });

  it('nests savepoints, and rolls back the inner one only', async () => {
    await source.transaction(async (outer) => {
      await outer.insert(Notes, { id: 1, body: 'outer', embedding: [1, 0, 0] });
      await outer
        .transaction(async (inner) => {
          await inner.insert(Notes, { id: 2, body: 'inner', embedding: [0, 1, 0] });
          throw new Error('undo the inner one');
        })
        .catch(() => undefined);
      await outer.transaction((inner) => inner.insert(Notes, { id: 3, body: 'second', embedding: [0, 0, 1] }));
    });
    const notes = await source.getRepository(Notes).find({ order: { id: 'ASC' } });
    expect(notes.map(({ id, embedding }) => [id, embedding])).toEqual([
      [1, [1, 0, 0]],
      [3, [0, 0, 1]],
    ]);
  });

  it('runs concurrent transactions in isolation, and reports unique violations', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, id) =>
        source.transaction(async (tx) => {
          await tx.insert(Notes, { id, body: `body ${id % 6}`, embedding: [id, 0, 0] });
        }),
      ),
    );
    const codes = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason.code);
    expect(codes).toEqual(Array.from({ length: 6 }, () => '23505'));
    expect(await source.getRepository(Notes).count()).toBe(6);
  });

  it('runs jobs of a queue that write through TypeORM', async () => {
    const queue = new Queue('notes', { connection: pool }, createPostgresBackend);
    // One listener per awaited job.
    queue.setMaxListeners(40);
    const events = new QueueEvents('notes', { connection: pool }, createPostgresBackend);
    const work = async ({ data }: Job<{ id: number }>): Promise<void> =>
      source.transaction(async (tx) => {
        await tx.insert(Notes, { id: data.id, body: `job ${data.id}`, embedding: [0, 0, 0] });
      });
    const worker = new Worker('notes', work, { connection: pool }, createPostgresBackend);
    await Promise.all([events.waitUntilReady(), worker.waitUntilReady()]);
    const jobs = await queue.addBulk(Array.from({ length: 30 }, (_, id) => ({ name: 'note', data: { id } })));
    await Promise.all(jobs.map((job) => job.waitUntilFinished(events)));
    expect(await source.getRepository(Notes).count()).toBe(30);
    await Promise.all([worker.close(), queue.close(), events.close()]);
  });
});
