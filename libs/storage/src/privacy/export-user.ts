import { EXPORT_SCHEMA_VERSION, type ExportEnd, type ExportManifest } from '@annals/contracts';
import { type Clock, userPseudonym } from '@annals/domain';
import { loadCheckpoint } from '../checkpoints/read-checkpoint.js';
import type { Database } from '../database/database.js';
import type { CheckpointVersionEntity } from '../entities/checkpoint.entity.js';
import { exportLangGraph, LANGGRAPH_KINDS } from './export-langgraph.js';
import {
  CONVERSATION_SECTIONS,
  CONVERSATION_SECTION,
  type ExportSection,
  OMITTED_FROM_EXPORT,
  MESSAGE_SECTION,
  rowWithoutSql,
  USER_SECTIONS,
} from './export-sections.js';

const KINDS = [
  ...USER_SECTIONS.map(({ kind }) => kind),
  'checkpoint',
  ...LANGGRAPH_KINDS,
  CONVERSATION_SECTION.kind,
  ...CONVERSATION_SECTIONS.map(({ kind }) => kind),
  MESSAGE_SECTION.kind,
];

type Chain = ExportManifest['chain'];

const NO_CHAIN: Chain = { seq: 0, head: '' };

/**
 * All data of a user as text of complete lines (NDJSON): a manifest, then one line per row, then counts. Null when the
 * tenant has no such user. Each page is read in a transaction of its own: one over the whole export would wait for the
 * consumer (docs/reference/isolation.md#no-waiting-inside-a-transaction), and block the embedded database for all
 * others. The manifest and the last line show whether memories were written meanwhile. Memory is bounded by a page,
 * whatever the amount of data.
 */
export async function exportUser(
  database: Pick<Database, 'readTenant' | 'chainKey'>,
  tenantId: string,
  userId: string,
  clock: Clock,
): Promise<AsyncGenerator<string> | null> {
  const names = [userId, userPseudonym(database.chainKey, tenantId, userId)];
  const chain = await readChainEnd(database, tenantId, names);
  if (!chain) return null;
  return new UserExport(database, tenantId, userId, names, clock).run(chain);
}

async function readChainEnd(
  database: Pick<Database, 'readTenant'>,
  tenantId: string,
  names: readonly string[],
): Promise<Chain | null> {
  const [row] = await database.readTenant(tenantId, (tx) =>
    tx.query<{ seq: string; head: string | null }>(
      // A user who was only queried has events but no row.
      `SELECT chain_seq AS seq, encode(chain_head, 'hex') AS head FROM users WHERE user_id = ANY ($1)
       UNION ALL
       SELECT 0, NULL WHERE EXISTS (SELECT FROM events WHERE user_id = ANY ($1))
       ORDER BY seq DESC LIMIT 1`,
      [names],
    ),
  );
  return row ? { seq: Number(row.seq), head: row.head ?? '' } : null;
}

interface Page {
  readonly text: string;
  /** Keys of the rows, as text. */
  readonly keys: readonly (readonly string[])[];
}

type VersionKey = Pick<CheckpointVersionEntity, 'thread_id' | 'version'>;

class UserExport {
  private readonly counts: Record<string, number> = Object.fromEntries(KINDS.map((kind) => [kind, 0]));

  constructor(
    private readonly database: Pick<Database, 'readTenant'>,
    private readonly tenantId: string,
    private readonly userId: string,
    /** The user and their pseudonym. */
    private readonly names: readonly string[],
    private readonly clock: Clock,
  ) {}

  async *run(chain: Chain): AsyncGenerator<string> {
    const manifest: ExportManifest = {
      kind: 'manifest',
      schema_version: EXPORT_SCHEMA_VERSION,
      user_id: this.userId,
      exported_at: this.now(),
      chain,
      sections: KINDS,
      left_out: { ...OMITTED_FROM_EXPORT },
    };
    yield `${JSON.stringify(manifest)}\n`;
    for (const section of USER_SECTIONS) for await (const { text } of this.pages(section, this.names)) yield text;
    yield* this.checkpoints();
    for await (const { kind, text } of exportLangGraph(this.database, this.tenantId, this.userId)) {
      this.counts[kind]! += 1;
      yield text;
    }
    yield* this.conversations();
    yield `${JSON.stringify(await this.buildEnd(chain))}\n`;
  }

  private async buildEnd(start: Chain): Promise<ExportEnd> {
    const chain = (await readChainEnd(this.database, this.tenantId, this.names)) ?? NO_CHAIN;
    const unchanged = chain.seq === start.seq && chain.head === start.head;
    return { kind: 'end', counts: this.counts, chain, unchanged, finished_at: this.now() };
  }

  private async *conversations(): AsyncGenerator<string> {
    for await (const { text, keys } of this.pages(CONVERSATION_SECTION, this.names)) {
      yield text;
      const ids = keys.map(([id]) => id!);
      for (const section of CONVERSATION_SECTIONS) for await (const page of this.pages(section, ids)) yield page.text;
      for (const id of ids) for await (const page of this.pages(MESSAGE_SECTION, id)) yield page.text;
    }
  }

  private async *checkpoints(): AsyncGenerator<string> {
    let after: VersionKey | undefined;
    for (;;) {
      const found: [VersionKey?, string?] = await this.database.readTenant(this.tenantId, async (tx) => {
        const [next] = await tx.query<VersionKey>(
          `SELECT thread_id, version FROM checkpoint_versions
              WHERE user_id = $1 ${after ? 'AND (thread_id, version) > ($2, $3)' : ''}
              ORDER BY thread_id, version LIMIT 1`,
          [this.userId, ...(after ? [after.thread_id, after.version] : [])],
        );
        if (!next) return [];
        const { thread_id: threadId, version } = next;
        const loaded = await loadCheckpoint(tx, { userId: this.userId, threadId, version });
        return [next, loaded ? renderCheckpoint(threadId, version, loaded) : undefined];
      });
      const [next, line] = found;
      if (!next) return;
      after = next;
      if (line === undefined) continue;
      this.counts.checkpoint! += 1;
      yield line;
    }
  }

  /** Pages of a section, each read when the one before was consumed. */
  private async *pages(section: ExportSection, owner: string | readonly string[]): AsyncGenerator<Page> {
    const { kind, page, from, data = rowWithoutSql(), where = 't.user_id = ANY ($1)', keys } = section;
    const columns = keys.map(({ column }) => column).join(', ');
    const select = `SELECT (${data})::text AS data, ARRAY[${keys.map(({ column }) => `${column}::text`).join(', ')}] AS key
                      FROM ${from} t WHERE ${where}`;
    const afterKeys = `(${columns}) > (${keys.map(({ type }, index) => `$${index + 2}::${type}`).join(', ')})`;
    const rest = `ORDER BY ${columns} LIMIT ${page}`;
    let after: readonly string[] | undefined;
    for (;;) {
      const text = after ? `${select} AND ${afterKeys} ${rest}` : `${select} ${rest}`;
      const rows: { data: string; key: string[] }[] = await this.database.readTenant(this.tenantId, (tx) =>
        tx.query(text, [owner, ...(after ?? [])]),
      );
      if (rows.length > 0) {
        this.counts[kind]! += rows.length;
        const lines = rows.map((row) => `{"kind":"${kind}","data":${row.data}}\n`);
        yield { text: lines.join(''), keys: rows.map((row) => row.key) };
      }
      if (rows.length < page) return;
      after = rows.at(-1)!.key;
    }
  }

  private now(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

/** The state is copied as text, so that its numbers are not parsed and serialized again. */
function renderCheckpoint(threadId: string, version: number, loaded: { savedAt: string; state: Buffer }): string {
  const head = JSON.stringify({ thread_id: threadId, version, saved_at: loaded.savedAt }).slice(0, -1);
  return `{"kind":"checkpoint","data":${head},"state":${loaded.state.toString('utf8')}}}\n`;
}
