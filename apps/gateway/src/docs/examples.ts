import type { RouteName } from '@annals/contracts';

const BATCH = '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e';
const CONVERSATION = '01933b1e-6c29-7b51-8d2f-0a1b2c3d4e5f';
const MESSAGE = '01933b1e-6c2a-7a00-8a4e-6f7a8b9c0d1e';
const MEMORY = '01933b1e-7f00-7c3d-a1b2-c3d4e5f60718';

/** Example requests and responses of the routes that most callers begin with. A spec validates them. */
export const EXAMPLES: Partial<Record<RouteName, { readonly request?: object; readonly answer?: object }>> = {
  postConversation: {
    request: {
      user_id: 'u-42',
      thread_id: 't-1',
      messages: [
        { id: 'm-1', role: 'user', content: 'I moved to Berlin in May.', created_at: '2025-07-01T12:00:00Z' },
        { id: 'm-2', role: 'assistant', content: 'How do you like it there?' },
      ],
    },
    answer: {
      conversation_id: CONVERSATION,
      thread_id: 't-1',
      batch_ids: [BATCH],
      accepted: 2,
      duplicates: 0,
      redactions: {},
      status_url: `/v1/batches/${BATCH}`,
    },
  },
  queryMemory: {
    request: {
      query: 'Where does the user live?',
      agent: 'supervisor',
      filters: { user_id: 'u-42' },
      thread_id: 't-1',
      since_rev: 6,
      top_k: 3,
    },
    answer: {
      header: 'Memory updates since rev 6:\n- ↑updated: [Profile] The user moved to Berlin.',
      core: [],
      memories: [
        {
          id: MEMORY,
          type: 'semantic',
          scope: 'user',
          category: 'profile',
          text: '[profile] The user moved to Berlin. (1 July 2025)',
          superseded_by: null,
          valid_to: null,
          sources: [{ conversation_id: CONVERSATION, message_id: MESSAGE, external_id: 'msg-17' }],
        },
      ],
      related: [],
      tokens: 38,
      revision: 7,
      degraded: false,
    },
  },
  addMemory: { request: { user_id: 'u-42', content: 'The user is allergic to peanuts.', category: 'profile' } },
  addGlobalMemory: { request: { content: 'The shop ships to Norway.', category: 'knowledge' } },
  patchMemory: { request: { pinned: true, importance: 5 } },
  createKey: { request: { name: 'chat backend', scopes: ['ingest', 'query'] } },
  createTenant: { request: { name: 'acme', default_country: 'DE' } },
  patchTenant: { request: { default_country: 'DE', personal_ids: 'hash' } },
  putUserContext: { request: { preferred_name: 'Ana', pronouns: 'she/her', goals: ['run a marathon'] } },
  putCheckpoint: { request: { version: 3, data: { step: 4, messages: [{ role: 'user', content: 'Book it.' }] } } },
  putLangGraphCheckpoint: {
    request: { parent_id: null, metadata: { source: 'input', step: -1 }, state: '{"messages":["Book it."]}' },
  },
  batchLangGraphStore: {
    request: {
      user_id: 'u-42',
      operations: [
        {
          op: 'put',
          namespace: ['notes', 'travel'],
          key: 'n-1',
          value: { text: 'Prefers trains.', year: 2026 },
          index: ['text'],
        },
        { op: 'search', namespace_prefix: ['notes'], query: 'how to travel', filter: { year: { $gte: 2025 } } },
      ],
    },
  },
  putBudget: { request: { daily_limit_micro_usd: 2_500_000 } },
  putDeploymentBudgets: { request: { deployment: 20_000_000, claude: 15_000_000 } },
};
