import { DELETED_WITH_TENANT as DELETED_BEFORE } from '../langgraph/direct.sql.js';
import { LOCK_LANGGRAPH_OF_TENANT, LOCK_LANGGRAPH_OF_USER } from '../langgraph/functions.sql.js';
import { ERASED_WITH_USER as ERASED_BEFORE } from '../langgraph/store-functions.sql.js';
import { FORGOTTEN_WITH_APPS } from '../apps/functions.sql.js';
import { NOTE_FORGOTTEN_CONVERSATION } from '../deletions/functions.sql.js';
import { forgetConversationFunction, OWN } from '../recall/erasure-functions.sql.js';
import { eraseAndSealFunction } from '../sealing/functions.sql.js';
import {
  createFunctions,
  deletedBehindWork,
  deleteTenantFunction,
  type DefinerFunction,
  dropFunctions,
} from '../sql/definer-functions.sql.js';
import { lockOfOwner, noteEvent, WEBHOOK_EVENT_FUNCTIONS } from './events.sql.js';
import { WEBHOOK_SENDER_FUNCTIONS } from './sender.sql.js';
import { WEBHOOK_APP_PRIVILEGES } from './tables.sql.js';

/** Tables of this migration whose rows belong to a tenant, children before parents. */
export const WEBHOOK_TENANT_TABLES: readonly string[] = Object.keys(WEBHOOK_APP_PRIVILEGES);

const { work, ...ERASED_BEHIND_WORK } = ERASED_BEFORE;

/**
 * Every table that holds something of one person, and which of its rows are theirs, in the order of deletion. What was
 * not told yet, ids alone, goes when the erasure behind it has been told (docs/reference/webhooks.md#erased-users).
 */
export const ERASED_WITH_USER: Readonly<Record<string, string>> = {
  work: work!,
  webhook_deliveries: `t.owner = of_user AND t.status <> 'pending'`,
  ...ERASED_BEHIND_WORK,
};

/** Who sends and who replays hold the feed and then what is in it. */
export const LOCK_FEEDS_OF_USER = `
        PERFORM ${lockOfOwner('own', 'of_user')};
        PERFORM 1 FROM annals.webhook_feeds l
         WHERE l.tenant_id = own AND l.owner = of_user ORDER BY l.webhook_key FOR UPDATE;`;

/** Also for who was known by events or keys alone, but not for an erasure that found nothing. */
export const TELL_ERASURE = `
        IF EXISTS (SELECT FROM jsonb_each_text(receipt) c WHERE c.value <> '0') THEN${noteEvent('of_user', `'user.erased'`, `'{}'::jsonb`, 'at')}
        END IF;`;

export const LOCK_OF_TENANT = {
  ...LOCK_LANGGRAPH_OF_TENANT,
  first: `${LOCK_LANGGRAPH_OF_TENANT.first}
        PERFORM 1 FROM annals.webhook_feeds l WHERE l.tenant_id = doomed ORDER BY l.owner, l.webhook_key FOR UPDATE;`,
};

const REPLACED: readonly DefinerFunction[] = [
  deleteTenantFunction(deletedBehindWork(WEBHOOK_TENANT_TABLES, DELETED_BEFORE), LOCK_OF_TENANT),
  forgetConversationFunction(
    FORGOTTEN_WITH_APPS,
    NOTE_FORGOTTEN_CONVERSATION +
      noteEvent(
        'of_user',
        `'conversation.forgotten'`,
        `jsonb_build_object('conversation_id', of_conversation)`,
        'clock_timestamp()',
      ),
  ),
  eraseAndSealFunction(ERASED_WITH_USER, LOCK_LANGGRAPH_OF_USER + LOCK_FEEDS_OF_USER, TELL_ERASURE),
];

const TEST_WEBHOOK: DefinerFunction = {
  signature: 'test_webhook(of_webhook uuid, event_id uuid, at timestamptz)',
  body: /* sql */ `
      RETURNS void LANGUAGE sql VOLATILE AS $$
        SELECT annals.note_webhook_events(${OWN}, '', ARRAY['webhook.test'], ARRAY[event_id], ARRAY[NULL::uuid],
                                          ARRAY['{}'::jsonb], at, of_webhook)
      $$`,
};

/** Who may call it may tell any tenant anything: triggers and functions of the schema do, services do not. */
const KEEP_INSIDE = 'REVOKE ALL ON FUNCTION annals.note_webhook_events FROM annals_app';

export const WEBHOOK_FUNCTIONS_SQL = [
  dropFunctions(REPLACED),
  createFunctions([...WEBHOOK_EVENT_FUNCTIONS, ...REPLACED, TEST_WEBHOOK, ...WEBHOOK_SENDER_FUNCTIONS]),
  KEEP_INSIDE,
].join(';\n');
