/** How one kind of line is read, page by page along a key that no write changes. */
export interface ExportSection {
  readonly kind: string;
  /** Rows per page: few for long rows. */
  readonly page: number;
  readonly from: string;
  /** SQL of the row `t` as JSON; default: all of it but the tenant. */
  readonly data?: string;
  /** SQL condition on the rows, with the section's owner in $1; default: the rows of this user and their pseudonym. */
  readonly where?: string;
  readonly keys: readonly { readonly column: string; readonly type: string }[];
}

const ID = [{ column: 't.id', type: 'uuid' }];
const ITEM_ID = [{ column: 't.item_id', type: 'uuid' }];

export const rowWithoutSql = (...columns: readonly string[]) =>
  `to_jsonb(t) - ARRAY[${['tenant_id', ...columns].map((column) => `'${column}'`).join(', ')}]`;

const relatedRowsSql = (table: string, condition: string, order: string) =>
  `coalesce((SELECT jsonb_agg(to_jsonb(r) - 'tenant_id' ORDER BY ${order}) FROM ${table} r
              WHERE r.tenant_id = t.tenant_id AND ${condition}), '[]')`;

const hex = (column: string) => `encode(t.${column}, 'hex')`;

/** $1 is the user and their pseudonym, under which the audit trail of an erased user is stored. */
export const USER_SECTIONS: readonly ExportSection[] = [
  {
    kind: 'user',
    page: 1,
    data: `${rowWithoutSql('memory_count', 'term_total', 'next_unit', 'turn_count', 'turn_length', 'analyzer', 'reindex_below', 'reindex_after', 'chain_head', 'vector_seq')}
           || jsonb_build_object('chain_head', ${hex('chain_head')})`,
    from: 'users',
    keys: [{ column: 't.user_id', type: 'text' }],
  },
  { kind: 'context', page: 1, from: 'user_contexts', keys: [{ column: 't.user_id', type: 'text' }] },
  { kind: 'proposal', page: 200, data: rowWithoutSql('value_key'), from: 'context_proposals', keys: ID },
  {
    // With sources, relations and last access, which belong to the memory, and what an insight is and rests on.
    kind: 'memory',
    page: 50,
    data: `${rowWithoutSql('normalized_hash', 'hash_version', 'term_count')} || jsonb_build_object(
             'sources', ${relatedRowsSql('memory_sources', 'r.memory_id = t.id', 'r.said_at, r.message_id')},
             'relations', ${relatedRowsSql('relations', 'r.from_id = t.id', 'r.id')},
             'insight', (SELECT to_jsonb(i) - ARRAY['tenant_id', 'memory_id', 'user_id'] FROM insights i
                          WHERE i.tenant_id = t.tenant_id AND i.memory_id = t.id),
             'ground', ${relatedRowsSql('insight_grounds', 'r.memory_id = t.id', 'r.ordinal')},
             'access', (SELECT to_jsonb(a) - ARRAY['tenant_id', 'memory_id'] FROM memory_access a
                         WHERE a.tenant_id = t.tenant_id AND a.memory_id = t.id))`,
    from: 'memories',
    keys: [{ column: 't.normalized_hash', type: 'text' }, ...ID],
  },
  {
    kind: 'consolidation_change',
    page: 500,
    from: 'mind_run_changes',
    keys: [
      { column: 't.run_id', type: 'uuid' },
      { column: 't.ordinal', type: 'integer' },
    ],
  },
  {
    // In any state. Of one that was merged with another person's in a shared app, neither its words nor whose it is.
    kind: 'app_memory',
    page: 50,
    data: `CASE WHEN EXISTS (SELECT FROM app_memory_sources o
                              WHERE o.tenant_id = t.tenant_id AND o.app_memory_id = t.id AND NOT o.user_id = ANY ($1))
                THEN ${rowWithoutSql('content', 'user_id', 'conversation_id', 'as_of_seq')} ELSE ${rowWithoutSql()} END
           || jsonb_build_object(
             'sources', ${relatedRowsSql('app_memory_sources', 'r.app_memory_id = t.id AND r.user_id = ANY ($1)', 'r.message_id')})`,
    from: 'app_memories',
    where: 't.id IN (SELECT s.app_memory_id FROM app_memory_sources s WHERE s.user_id = ANY ($1))',
    keys: ID,
  },
  {
    kind: 'langgraph_item',
    page: 50,
    data: rowWithoutSql('path', 'words', 'value_bytes'),
    from: 'langgraph_items',
    keys: ITEM_ID,
  },
  { kind: 'thread_revision', page: 500, from: 'thread_revisions', keys: [{ column: 't.thread_id', type: 'text' }] },
  {
    kind: 'change',
    page: 500,
    from: 'change_log',
    keys: [
      { column: 't.thread_id', type: 'text' },
      { column: 't.rev', type: 'bigint' },
      { column: 't.n', type: 'integer' },
    ],
  },
  {
    // Hash and HMAC of the content can be recomputed from the line, and the pseudonym of the user’s line.
    kind: 'history',
    page: 200,
    data: `${rowWithoutSql()} || jsonb_build_object('salt', ${hex('salt')}, 'content_hmac', ${hex('content_hmac')},
             'state_hmac', ${hex('state_hmac')}, 'replaced_hash', ${hex('replaced_hash')},
             'prev_hash', ${hex('prev_hash')}, 'hash', ${hex('hash')})`,
    from: 'history',
    keys: [{ column: 't.seq', type: 'bigint' }],
  },
  { kind: 'event', page: 500, from: 'events', keys: [{ column: 't.ts', type: 'timestamptz' }, ...ID] },
  {
    // Not to which webhook: that is the tenant's.
    kind: 'webhook_delivery',
    page: 500,
    data: rowWithoutSql('webhook_key', 'owner'),
    from: 'webhook_deliveries',
    where: 't.owner = ANY ($1)',
    keys: [
      { column: 't.webhook_key', type: 'uuid' },
      { column: 't.seq', type: 'bigint' },
    ],
  },
  { kind: 'usage', page: 500, from: 'usage', keys: ID },
  { kind: 'mind_run', page: 500, data: rowWithoutSql('watermark'), from: 'mind_runs', keys: ID },
  {
    kind: 'erasure_receipt',
    page: 100,
    data: `${rowWithoutSql()} || jsonb_build_object('chain_head', ${hex('chain_head')}, 'signature', ${hex('signature')})`,
    from: 'erasure_receipts',
    keys: [{ column: 't.chain_seq', type: 'bigint' }],
  },
  {
    // Their checkpoints and writes follow the states of threads.
    kind: 'langgraph_thread',
    page: 500,
    data: rowWithoutSql('thread_key'),
    from: 'langgraph_threads',
    keys: [{ column: 't.thread_id', type: 'text' }],
  },
];

/** $1 is the same. */
export const CONVERSATION_SECTION: ExportSection = { kind: 'conversation', page: 50, from: 'conversations', keys: ID };

const BATCH_KEYS = [{ column: 't.conversation_id', type: 'uuid' }, ...ID];

/** $1 are conversations. */
export const CONVERSATION_SECTIONS: readonly ExportSection[] = [
  {
    // With the models' answers about its messages.
    kind: 'batch',
    page: 20,
    data: `${rowWithoutSql('trace', 'fence', 'lease_until', 'generation')} || jsonb_build_object(
             'extractions', ${relatedRowsSql('extractions', 'r.batch_id = t.id', 'r.created_at')},
             'unread_answers', ${relatedRowsSql('call_answers', 'r.batch_id = t.id', 'r.created_at')},
             'reconciliations', ${relatedRowsSql('reconciliations', 'r.batch_id = t.id', 'r.round')})`,
    from: 'batches',
    where: 't.conversation_id = ANY ($1)',
    keys: BATCH_KEYS,
  },
  {
    // With its sentences and the messages that they cite; tombstones, too.
    kind: 'summary',
    page: 20,
    data: `${rowWithoutSql('fingerprint')} || jsonb_build_object('sentences', ${relatedRowsSql('summary_sentences', 'r.summary_id = t.id', 'r.ordinal')})`,
    from: 'summaries',
    where: 't.conversation_id = ANY ($1)',
    keys: BATCH_KEYS,
  },
];

/** $1 is one conversation. */
export const MESSAGE_SECTION: ExportSection = {
  kind: 'message',
  page: 50,
  data: rowWithoutSql('content_hmac'),
  from: 'messages',
  where: 't.conversation_id = $1',
  keys: [{ column: 't.seq', type: 'integer' }],
};

/** What an export does not contain, and why. */
export const OMITTED_FROM_EXPORT: Readonly<Record<string, string>> = {
  embeddings: 'Vectors of memories and of items: they can be recomputed from the lines of this export.',
  index: 'The lexical index of memories and messages: it can be rebuilt from the lines of this export.',
  idempotent_responses: 'Copies of responses under an Idempotency-Key, which are stored for a day.',
  consolidation: 'Which pairs of memories were compared, as hashes, and how many on the last day.',
  queue: 'Waiting work and running calls: they contain only ids and amounts.',
};
