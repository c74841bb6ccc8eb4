import { ECHOES_VERSION, encodeEntries, type PostingEntry } from '@annals/domain';
import type pg from 'pg';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { log } from '../frame/log.ts';
import { type BinaryRows, copyRows } from './copy-rows.ts';
import {
  countMemories,
  listUsers,
  listWrites,
  MEMORIES_PER_WRITE,
  shuffle,
  type Stage,
  type Write,
} from './population.ts';
import { CATEGORY, embedder, type Sentence } from './sentences.ts';

/** Table of vectors for the plain scan. */
const PLAIN_TABLE = /* sql */ `
  CREATE TABLE plain_vectors (tenant_id uuid NOT NULL, user_id text NOT NULL, model text NOT NULL,
                              memory_id uuid NOT NULL, embedding vector NOT NULL);
  ALTER TABLE plain_vectors ALTER COLUMN embedding SET STORAGE PLAIN;
  ALTER TABLE plain_vectors ADD PRIMARY KEY (tenant_id, user_id, model, memory_id);`;

const LINK_STRENGTH = 0.8;

interface LoadedMemory {
  readonly id: Buffer;
  readonly userId: string;
  /** Its number among the user's memories, which is also the number of its unit in the index. */
  readonly number: number;
  readonly sentence: Sentence;
}

/** Fills the tables by COPY: through the write path a million memories would take an hour. */
export class StoreLoader {
  private readonly environment: BenchEnvironment;
  private readonly sentences: readonly Sentence[];
  private readonly tenant: Buffer;
  private readonly now: number;
  private written = 0;

  constructor(environment: BenchEnvironment, sentences: readonly Sentence[]) {
    this.environment = environment;
    this.sentences = sentences;
    this.tenant = encodeUuid(environment.tenantId);
    this.now = environment.clock.now();
  }

  async open(): Promise<void> {
    await this.environment.superuser.query(PLAIN_TABLE);
  }

  /** Adds the users of a stage with all their data. */
  async add(stage: Stage): Promise<void> {
    const startedMs = performance.now();
    const writes = listWrites(stage).map((write, index) =>
      this.listMemories(write, this.written + index * MEMORIES_PER_WRITE),
    );
    const memories = writes.flat();
    this.written += countMemories(stage);
    await Promise.all([
      this.alone(async (client) => {
        await this.copyUsers(client, stage);
        await this.copyMemories(client, memories);
        await this.copyUnits(client, memories);
        await this.copySources(client, memories);
        await this.copyRelations(client, memories);
      }),
      this.alone((client) => this.copyPlainVectors(client, memories)),
      this.alone((client) => this.copyVectors(client, memories)),
      // By far the most rows, so two connections write them.
      ...[0, 1].map((half) =>
        this.alone((client) =>
          this.copyPostings(
            client,
            writes.filter((_, index) => index % 2 === half),
          ),
        ),
      ),
    ]);
    await this.environment.superuser.query('VACUUM ANALYZE');
    log(`loaded ${this.written} memories, ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  }

  /** Uses a connection without foreign key checks: the sources refer to messages that do not exist. */
  private async alone(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.environment.superuser.connect();
    try {
      await client.query('SET session_replication_role = replica');
      await work(client);
    } finally {
      client.release(true);
    }
  }

  private listMemories({ userId, from }: Write, serial: number): LoadedMemory[] {
    const start = hashText(userId);
    return Array.from({ length: MEMORIES_PER_WRITE }, (_, index) => ({
      id: encodeId(serial + index, this.now),
      userId,
      number: from + index,
      sentence: this.sentences[(start + from + index) % this.sentences.length]!,
    }));
  }

  private copyUsers(client: pg.PoolClient, stage: Stage): Promise<void> {
    const target = 'users (tenant_id, user_id, created_at, memory_count, term_total, next_unit, analyzer)';
    return copyRows(client, target, listUsers(stage), (rows, { userId, memories }) => {
      const start = hashText(userId);
      let length = 0;
      for (let number = 0; number < memories; number += 1) {
        length += this.sentences[(start + number) % this.sentences.length]!.terms.length;
      }
      rows.startRow(7).raw(this.tenant).text(userId).timestamp(this.now).integer(memories).bigint(length);
      rows.integer(memories).smallint(ECHOES_VERSION);
    });
  }

  private copyMemories(client: pg.PoolClient, memories: readonly LoadedMemory[]): Promise<void> {
    const target = `memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
                              importance, confidence, term_count, valid_from, recorded_at, updated_at)`;
    return copyRows(client, target, memories, (rows, { id, userId, number, sentence }) => {
      rows.startRow(16).raw(this.tenant).raw(id).text(userId).text(CATEGORY).text('episodic').text(sentence.content);
      rows
        .text(`${number}`)
        .text('1')
        .text('active')
        .text('extraction')
        .smallint(1 + (number % 5))
        .double(0.8);
      rows.integer(sentence.terms.length).timestamp(this.now).timestamp(this.now).timestamp(this.now);
    });
  }

  private copySources(client: pg.PoolClient, memories: readonly LoadedMemory[]): Promise<void> {
    const target = `memory_sources (tenant_id, memory_id, message_id, conversation_id, user_id, thread_id, actor_id, role,
                                    quote, said_at)`;
    return copyRows(client, target, memories, (rows, { id, userId, number, sentence }) => {
      rows
        .startRow(10)
        .raw(this.tenant)
        .raw(id)
        .raw(id)
        .raw(id)
        .text(userId)
        .text(`t${Math.floor(number / 20)}`);
      rows.text(userId).text('user').text(sentence.content).timestamp(this.now);
    });
  }

  /** Links each memory to the one before it if both are of the same conversation. */
  private copyRelations(client: pg.PoolClient, memories: readonly LoadedMemory[]): Promise<void> {
    const links = memories.flatMap(({ id, userId, number }, index) =>
      number % MEMORIES_PER_WRITE === 0 ? [] : [{ id, userId, toId: memories[index - 1]!.id }],
    );
    const target = 'relations (tenant_id, id, user_id, from_id, to_id, strength, created_at)';
    return copyRows(client, target, links, (rows, { id, userId, toId }) => {
      rows.startRow(7).raw(this.tenant).raw(id).text(userId).raw(id).raw(toId).real(LINK_STRENGTH).timestamp(this.now);
    });
  }

  /**
   * Writes them interleaved with those of other users, as the target of exact search requires
   * (docs/reference/performance-targets.md#t7-exact-search-by-default).
   */
  private copyPlainVectors(client: pg.PoolClient, memories: readonly LoadedMemory[]): Promise<void> {
    const target = 'plain_vectors (tenant_id, user_id, model, memory_id, embedding)';
    const scattered = [...memories];
    shuffle(scattered);
    return copyRows(client, target, scattered, (rows, { id, userId, sentence }) => {
      rows.startRow(5).raw(this.tenant).text(userId).text(embedder.model).raw(id).raw(sentence.vector);
    });
  }

  private copyVectors(client: pg.PoolClient, memories: readonly LoadedMemory[]): Promise<void> {
    const target = 'memory_embeddings (tenant_id, user_id, model, memory_id, content_hash, narrow)';
    return copyRows(client, target, memories, (rows, { id, userId, sentence }) => {
      rows.startRow(6).raw(this.tenant).text(userId).text(embedder.model).raw(id).raw(id).raw(sentence.halfvec);
    });
  }

  private copyUnits(client: pg.PoolClient, memories: readonly LoadedMemory[]): Promise<void> {
    const target = 'lexical_units (tenant_id, user_id, unit, memory_id, length)';
    return copyRows(client, target, memories, (rows, { id, userId, number, sentence }) => {
      rows.startRow(5).raw(this.tenant).text(userId).integer(number).raw(id).integer(sentence.terms.length);
    });
  }

  private copyPostings(client: pg.PoolClient, writes: readonly LoadedMemory[][]): Promise<void> {
    const target = 'lexical_postings (tenant_id, user_id, kind, term, segment, entries)';
    return copyRows(client, target, writes, (rows, write) => {
      for (const [term, entries] of gatherByTerm(write)) this.writePosting(rows, write[0]!, term, entries);
    });
  }

  private writePosting(rows: BinaryRows, first: LoadedMemory, term: string, entries: readonly PostingEntry[]): void {
    rows.startRow(6).raw(this.tenant).text(first.userId).text('memory').text(term).integer(first.number);
    rows.raw(encodeEntries(entries));
  }
}

/** A segment of the index for each term of one write, as the write path makes them. */
function gatherByTerm(write: readonly LoadedMemory[]): Map<string, PostingEntry[]> {
  const gathered = new Map<string, PostingEntry[]>();
  for (const { number, sentence } of write) {
    for (const [term, weight] of sentence.terms.terms) {
      const entries = gathered.get(term) ?? [];
      entries.push({ unit: number, weight, length: sentence.terms.unitLength });
      gathered.set(term, entries);
    }
  }
  return gathered;
}

function encodeUuid(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** A UUIDv7 that increases with its serial number. */
function encodeId(serial: number, now: number): Buffer {
  // From Node's buffer pool: allocating a million separate buffers would take longer than sending them.
  const bytes = Buffer.allocUnsafe(16).fill(0);
  bytes.writeUIntBE(now - 10_000_000 + serial, 0, 6);
  bytes[6] = 0x70;
  bytes[8] = 0x80;
  bytes.writeUInt32BE(serial, 12);
  return bytes;
}

/** FNV-1a hash: the user's first index in the shared sentences. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const code of Buffer.from(text)) hash = Math.imul(hash ^ code, 0x01000193) >>> 0;
  return hash;
}
