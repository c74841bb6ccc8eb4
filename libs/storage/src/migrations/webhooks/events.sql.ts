import { scrubTrigger } from '../sealing/tables.sql.js';
import type { DefinerFunction } from '../sql/definer-functions.sql.js';

/** A trigger function that does nothing for a tenant without endpoints. `tenant`: where its id is from. */
const trigger = (name: string, body: string, tenant = 'NEW.tenant_id'): DefinerFunction => ({
  signature: `${name}()`,
  body: /* sql */ `
      RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${tenant};
      BEGIN
        IF EXISTS (SELECT FROM annals.webhooks w WHERE w.tenant_id = own) THEN${body}
        END IF;
        RETURN NULL;
      END $$`,
});

/** Taken before feeds of an owner by whoever locks several of them. */
export const lockOfOwner = (tenant: string, owner: string) =>
  `pg_advisory_xact_lock(hashtextextended('webhook feeds ' || ${tenant} || ' ' || ${owner}, 0))`;

/** Notes one event that is about no memory. */
export const noteEvent = (owner: string, type: string, data: string, at: string) => /* sql */ `
          PERFORM annals.note_webhook_events(own, ${owner}, ARRAY[${type}], ARRAY[gen_random_uuid()], ARRAY[NULL::uuid],
                                             ARRAY[${data}], ${at}, NULL);`;

/**
 * What a link of the audit history is told as; null: it is not told. A relation is no change of a memory, and what is
 * purged can also be a message or a proposal: only memories name who had deleted them before.
 */
const TYPE_OF_LINK = /* sql */ `CASE a.event
                   WHEN 'ADD' THEN 'memory.created'
                   WHEN 'UPDATE' THEN CASE WHEN a.new_ref IS NULL THEN 'memory.updated' ELSE 'memory.superseded' END
                   WHEN 'MERGE' THEN 'memory.merged'
                   WHEN 'DELETE' THEN 'memory.deleted'
                   WHEN 'TTL' THEN 'memory.expired'
                   WHEN 'EVICT' THEN 'memory.evicted'
                   WHEN 'RESTORE' THEN 'memory.restored'
                   WHEN 'UNDO' THEN CASE WHEN a.meta ->> 'undone' = 'LINK' THEN NULL ELSE 'memory.reverted' END
                   WHEN 'QUARANTINE' THEN 'memory.quarantined'
                   WHEN 'PURGE' THEN CASE WHEN a.meta ? 'deleted_by' THEN 'memory.forgotten'
                                          WHEN a.meta ->> 'reason' IN ('message_forgotten', 'sentences_forgotten')
                                          THEN 'message.forgotten' END
                 END`;

/**
 * Triggers, so that an event exists if and only if its change was committed, whichever statement of whichever release
 * made it (docs/decisions/0084-webhooks-by-triggers-and-feeds-of-users.md).
 */
export const WEBHOOK_EVENT_FUNCTIONS: readonly DefinerFunction[] = [
  {
    // The row of a feed is locked from here to the end of the transaction, whose events take the next places in it. Whoever
    // notes events of one owner waits for who did before: one transaction may note twice, for other endpoints each time,
    // and not everybody holds the user's row. Behind the user and before work (docs/reference/writes.md#lock-the-users-row-first).
    signature: `note_webhook_events(of_tenant uuid, of_owner text, types text[], ids uuid[], memory_ids uuid[],
                                    datas jsonb[], at timestamptz, only_key uuid)`,
    body: /* sql */ `
      RETURNS void LANGUAGE sql VOLATILE AS $$
        SELECT ${lockOfOwner('of_tenant', 'of_owner')};
        WITH wanted AS MATERIALIZED (
          SELECT w.webhook_key, e.type, e.id, e.memory_id, e.data,
                 row_number() OVER (PARTITION BY w.webhook_key ORDER BY e.n) AS place,
                 count(*) OVER (PARTITION BY w.webhook_key) AS total
            FROM annals.webhooks w, unnest(types, ids, memory_ids, datas) WITH ORDINALITY AS e(type, id, memory_id, data, n)
           WHERE w.tenant_id = of_tenant AND (w.webhook_key = only_key OR only_key IS NULL)
             -- Whoever keeps copies has to know whom to forget, and a test goes to whom it tests.
             AND (e.type = ANY (w.events) OR e.type IN ('user.erased', 'webhook.test'))
        ), raised AS (
          INSERT INTO annals.webhook_feeds AS l (tenant_id, owner, webhook_key, last_seq, due_at)
          SELECT of_tenant, of_owner, w.webhook_key, w.total, at FROM wanted w WHERE w.place = 1 ORDER BY w.webhook_key
          ON CONFLICT (tenant_id, owner, webhook_key) DO UPDATE
            SET last_seq = l.last_seq + excluded.last_seq, due_at = coalesce(l.due_at, excluded.due_at)
          RETURNING l.webhook_key, l.last_seq
        )
        INSERT INTO annals.webhook_deliveries (tenant_id, owner, webhook_key, seq, event_id, type, memory_id, data, occurred_at)
        SELECT of_tenant, of_owner, w.webhook_key, r.last_seq - w.total + w.place, w.id, w.type, w.memory_id, w.data, at
          FROM wanted w JOIN raised r ON r.webhook_key = w.webhook_key
      $$`,
  },
  trigger(
    'note_webhook_history',
    /* sql */ `
          PERFORM annals.note_webhook_events(own, t.user_id, array_agg(t.type ORDER BY t.seq), array_agg(t.id ORDER BY t.seq),
                    array_agg(t.memory_id ORDER BY t.seq), array_agg(t.data ORDER BY t.seq), max(t.ts), NULL)
             FROM (SELECT l.user_id, l.seq, l.id, l.type, l.ts,
                          CASE WHEN l.type <> 'message.forgotten' THEN l.memory_id END AS memory_id,
                          jsonb_strip_nulls(CASE WHEN l.type = 'message.forgotten' THEN jsonb_build_object('message_id', l.memory_id)
                            ELSE jsonb_build_object('memory_id', l.memory_id, 'revision', m.revision, 'batch_id', l.batch_id,
                              'successor_id', CASE WHEN l.type IN ('memory.created', 'memory.superseded', 'memory.merged') THEN l.new_ref END,
                              'ended', CASE WHEN m.superseded_by IS NOT NULL OR m.valid_to <= l.ts THEN true END,
                              'predecessor_id', CASE WHEN l.type = 'memory.created' THEN l.old_ref END) END) AS data
                     FROM (SELECT a.*, ${TYPE_OF_LINK} AS type FROM affected a WHERE a.memory_id IS NOT NULL) l
                     LEFT JOIN annals.memories m ON m.tenant_id = own AND m.id = l.memory_id
                    WHERE l.type IS NOT NULL) t
            GROUP BY t.user_id;`,
    '(SELECT a.tenant_id FROM affected a LIMIT 1)',
  ),
  trigger(
    'note_webhook_batch',
    noteEvent(
      'NEW.user_id',
      `'batch.' || NEW.state`,
      `jsonb_strip_nulls(jsonb_build_object('batch_id', NEW.id, 'conversation_id', NEW.conversation_id, 'error_code', NEW.error_code))`,
      'coalesce(NEW.finished_at, clock_timestamp())',
    ),
  ),
  trigger(
    'note_webhook_run',
    noteEvent(
      'NEW.user_id',
      `'consolidation.done'`,
      `jsonb_build_object('run_id', NEW.id)`,
      'coalesce(NEW.ended_at, clock_timestamp())',
    ),
  ),
  trigger(
    'note_webhook_budget',
    noteEvent(
      `''`,
      `'budget.threshold_reached'`,
      `jsonb_build_object('day', NEW.day, 'threshold_percent', NEW.threshold)`,
      'NEW.fired_at',
    ),
    'NEW.scope_id::uuid',
  ),
];

/** After the functions that they call. */
export const WEBHOOK_TRIGGERS_SQL = /* sql */ `
CREATE TRIGGER note_webhook_history AFTER INSERT ON annals.history REFERENCING NEW TABLE AS affected
  FOR EACH STATEMENT EXECUTE FUNCTION annals.note_webhook_history();
CREATE TRIGGER note_webhook_batch AFTER UPDATE ON annals.batches FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state AND NEW.state IN ('done', 'failed'))
  EXECUTE FUNCTION annals.note_webhook_batch();
CREATE TRIGGER note_webhook_run AFTER UPDATE ON annals.mind_runs FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state AND NEW.state = 'done' AND NEW.kind = 'consolidation'
        AND NOT NEW.is_dry_run AND NEW.user_id IS NOT NULL)
  EXECUTE FUNCTION annals.note_webhook_run();
CREATE TRIGGER note_webhook_budget AFTER INSERT ON annals.budget_alerts FOR EACH ROW WHEN (NEW.scope = 'tenant')
  EXECUTE FUNCTION annals.note_webhook_budget();
-- The last that names an erased user, once their receiver knows it.${scrubTrigger('webhook_feeds', 'DELETE')}`;
