import { routes } from '../http/routes.js';
import { ACKNOWLEDGEMENTS } from './acknowledgements.js';
import type { RouteAccess, RouteAccessTable } from './route-access.js';
import {
  byAllowlist,
  byCategory,
  byFields,
  byFieldsAndRows,
  byRows,
  EVERY_KEY,
  OPERATOR,
  PUBLIC,
  refused,
  TENANT_APPS,
  TENANT_GLOBAL,
  TENANT_KEYS,
  TENANT_RECEIPTS,
  TENANT_SPENDING,
  TENANT_USERS,
  TENANT_WEBHOOKS,
  TENANT_WORK,
} from './rules.js';

const ANY_CATEGORY = 'a conversation can contain any category';
const ANY_STATE = 'a checkpoint can contain anything of any agent and category';
const ANY_ITEM = 'an item can contain anything of any agent and category';
const WHOLE_PERSON = 'a person’s data can belong to any agent and category';
const PERSON_DECIDES = 'only the person can consent, for example on your settings page';

const THEIR_MEMORIES = 'memories of the user';
const MEMORIES_OF_CATEGORIES = 'memories of the categories';
const MEMORIES_OF_OWN_CONVERSATIONS = 'memories that rest on conversations alone that the agent began';
/** The tools call routes with the caller's key, so that the bindings are those of the routes. */
const TOOLS = 'tools whose routes it may call, limited as they are';
/** A completion queries and posts with the caller's key, so that the bindings are those of these routes. */
const CHAT = 'what `POST /v1/memory/query` and `POST /v1/conversations` allow the key';
const MODELS = 'models, which are the same for every key';
const MEMORIES_OF_USER_ALONE = 'memories that rest on conversations of the user alone';

/** One memory that the path names. */
const ofMemory = {
  user: byRows(THEIR_MEMORIES),
  agent: byAllowlist(),
  categories: byRows(MEMORIES_OF_CATEGORIES),
} as const;

/** The same, read alone: everybody reads global memories. */
const ofReadMemory = { ...ofMemory, user: byRows('memories of the user, and global ones') } as const;

/** A conversation or batch that the path names. */
const ofConversation = {
  user: byRows('conversations of the user'),
  agent: byRows('conversations that the agent began'),
  categories: refused(ANY_CATEGORY),
} as const;

/** What is written about a thread that the path names. */
const ofThread = {
  user: byFields('body.user_id'),
  agent: byRows('conversations that the agent began'),
  categories: refused(ANY_CATEGORY),
} as const;

const ofBatch = {
  user: byRows('batches of the user'),
  agent: byRows('batches with a message of the agent'),
  categories: refused(ANY_CATEGORY),
} as const;

const ofCheckpoint = {
  user: byFields('params.user_id'),
  agent: refused(ANY_STATE),
  categories: refused(ANY_STATE),
} as const;

const THREADS_OF_USER = 'threads of the user';

const ofLangGraph = {
  agent: refused(ANY_STATE),
  categories: refused(ANY_STATE),
} as const;
const ofLangGraphThread = { user: byRows(THREADS_OF_USER), ...ofLangGraph } as const;
const ofLangGraphFields = { user: byFieldsAndRows(THREADS_OF_USER, 'body.user_id'), ...ofLangGraph } as const;
const ofLangGraphStore = {
  user: byFieldsAndRows('items of the user', 'body.user_id'),
  agent: refused(ANY_ITEM),
  categories: refused(ANY_ITEM),
  scopes: '`ingest` stores and deletes items, `query` reads and searches them.',
} as const;

const ofContext = {
  user: byFields('params.user_id'),
  agent: byAllowlist(),
  categories: byCategory('profile'),
} as const;

const ofDecision = {
  user: byRows('proposals of the user'),
  agent: refused(PERSON_DECIDES),
  categories: byCategory('profile'),
} as const;

const ofWholePerson = {
  user: byFields('params.user_id'),
  agent: refused(WHOLE_PERSON),
  categories: refused(WHOLE_PERSON),
} as const;

const ofEvents = {
  user: byFieldsAndRows('events of the user', 'query.user_id'),
  agent: byAllowlist(),
  categories: byFieldsAndRows('events of the categories', 'query.category'),
} as const;

/** What each binding of a key means for each route: the only statement of it, which the gateway enforces. */
const routeAccess = {
  postConversation: {
    user: byFields('body.user_id'),
    agent: byFields('body.agent_id'),
    categories: refused(ANY_CATEGORY),
  },
  endConversation: ofConversation,
  getConversation: ofConversation,
  createPersonLink: ofWholePerson,
  revokePersonLinks: ofWholePerson,
  getOwnKey: EVERY_KEY,
  endOwnKey: EVERY_KEY,
  listUsers: TENANT_USERS,
  listConversations: {
    user: byFields('query.user_id'),
    agent: byRows('conversations that the agent began'),
    categories: refused(ANY_CATEGORY),
  },
  listCategories: EVERY_KEY,
  listBatches: {
    user: byFieldsAndRows('batches of the user', 'query.user_id'),
    agent: byRows('batches with a message of the agent'),
    categories: refused(ANY_CATEGORY),
  },
  getBatch: ofBatch,
  streamBatch: ofBatch,
  replayBatch: ofBatch,
  queryMemory: {
    user: byFields('body.filters.user_id'),
    agent: byAllowlist('body.agent'),
    categories: byFieldsAndRows('memories and turns of the categories', 'body.categories', 'body.filters.category'),
  },
  listMemories: {
    user: byFieldsAndRows(THEIR_MEMORIES, 'query.user_id'),
    agent: byAllowlist(),
    categories: byFieldsAndRows(MEMORIES_OF_CATEGORIES, 'query.category'),
    scopes: '`admin` also lists deleted and quarantined memories.',
  },
  getMemory: { ...ofReadMemory, scopes: '`admin` also reads deleted and quarantined memories.' },
  addMemory: {
    user: byFields('body.user_id'),
    agent: byAllowlist(),
    categories: byFields('body.category'),
    acknowledgement: ACKNOWLEDGEMENTS.memoryWritten,
  },
  patchMemory: {
    ...ofMemory,
    categories: byFieldsAndRows(MEMORIES_OF_CATEGORIES, 'body.category'),
    acknowledgement: ACKNOWLEDGEMENTS.memoryWritten,
  },
  deleteMemory: { ...ofMemory, acknowledgement: ACKNOWLEDGEMENTS.memory },
  restoreMemory: { ...ofMemory, acknowledgement: ACKNOWLEDGEMENTS.memoryWritten },
  getMemoryHistory: ofReadMemory,
  listGlobalMemories: {
    user: byRows('global memories, which all users have'),
    agent: byAllowlist(),
    categories: byFieldsAndRows(MEMORIES_OF_CATEGORIES, 'query.category'),
    scopes: '`admin` also lists deleted memories.',
  },
  addGlobalMemory: TENANT_GLOBAL,
  deleteGlobalMemory: TENANT_GLOBAL,
  getThreadDelta: {
    user: byFields('query.user_id'),
    agent: byAllowlist('query.agent'),
    categories: byRows('changes in the categories'),
  },
  getThreadSummary: {
    user: byFields('query.user_id'),
    agent: byRows('conversations that the agent began'),
    categories: refused(ANY_CATEGORY),
  },
  restoreSummary: ofThread,
  restoreTurns: ofThread,
  getRelatedMemories: ofReadMemory,
  listEvents: ofEvents,
  countEvents: ofEvents,
  getUserContext: ofContext,
  putUserContext: { ...ofContext, agent: refused(PERSON_DECIDES), acknowledgement: ACKNOWLEDGEMENTS.userContext },
  listInsights: ofWholePerson,
  explainMemory: ofReadMemory,
  listApps: TENANT_APPS,
  getApp: TENANT_APPS,
  putApp: TENANT_APPS,
  uninstallApp: TENANT_APPS,
  listAppMemories: {
    user: byFieldsAndRows(MEMORIES_OF_USER_ALONE, 'query.user_id'),
    agent: byRows(MEMORIES_OF_OWN_CONVERSATIONS),
    categories: refused(ANY_CATEGORY),
  },
  purgeAppMemories: {
    user: byFields('query.user_id'),
    agent: refused('memories of an app can rest on conversations of any agent'),
    categories: refused(ANY_CATEGORY),
  },
  deleteAppMemory: {
    user: byRows(MEMORIES_OF_USER_ALONE),
    agent: byRows(MEMORIES_OF_OWN_CONVERSATIONS),
    categories: refused(ANY_CATEGORY),
  },
  getAppContext: {
    user: byFields('query.user_id'),
    agent: byRows(MEMORIES_OF_OWN_CONVERSATIONS),
    categories: refused(ANY_CATEGORY),
  },
  listProposals: ofContext,
  acceptProposal: { ...ofDecision, acknowledgement: ACKNOWLEDGEMENTS.proposalDecided },
  rejectProposal: { ...ofDecision, acknowledgement: ACKNOWLEDGEMENTS.proposalDecided },
  putCheckpoint: ofCheckpoint,
  getCheckpoint: ofCheckpoint,
  deleteCheckpoint: ofCheckpoint,
  listCheckpoints: ofCheckpoint,
  putLangGraphCheckpoint: ofLangGraphFields,
  putLangGraphWrites: ofLangGraphFields,
  saveLangGraphBatch: ofLangGraphThread,
  getLangGraphCheckpoint: ofLangGraphThread,
  searchLangGraphCheckpoints: ofLangGraphFields,
  readLangGraphHistory: ofLangGraphThread,
  listLangGraphThreads: { user: byFieldsAndRows(THREADS_OF_USER, 'query.user_id'), ...ofLangGraph },
  copyLangGraphThread: ofLangGraphThread,
  pruneLangGraphThreads: ofLangGraphFields,
  deleteLangGraphThread: ofLangGraphThread,
  batchLangGraphStore: ofLangGraphStore,
  exportUser: ofWholePerson,
  importRecords: ofWholePerson,
  eraseUser: ofWholePerson,
  getReceipt: TENANT_RECEIPTS,
  forgetConversation: {
    user: byRows('conversations of the user'),
    agent: refused(WHOLE_PERSON),
    categories: refused(ANY_CATEGORY),
  },
  forgetMessage: {
    user: byRows('conversations of the user'),
    agent: refused(WHOLE_PERSON),
    categories: refused(ANY_CATEGORY),
  },
  forgetMemories: {
    user: byFields('body.user_id'),
    agent: refused(WHOLE_PERSON),
    categories: refused(WHOLE_PERSON),
    acknowledgement: ACKNOWLEDGEMENTS.memoriesForgotten,
  },
  undoMemory: { ...ofMemory, acknowledgement: ACKNOWLEDGEMENTS.memoryWritten },
  listQuarantine: {
    user: byFieldsAndRows(THEIR_MEMORIES, 'query.user_id'),
    agent: byAllowlist(),
    categories: byRows(MEMORIES_OF_CATEGORIES),
  },
  releaseMemory: ofMemory,
  rejectMemory: ofMemory,
  getUsage: TENANT_SPENDING,
  getEnergy: TENANT_SPENDING,
  getBudget: TENANT_SPENDING,
  putBudget: TENANT_SPENDING,
  getDeploymentBudgets: OPERATOR,
  listTenantCosts: OPERATOR,
  putDeploymentBudgets: OPERATOR,
  putWebhook: TENANT_WEBHOOKS,
  listWebhooks: TENANT_WEBHOOKS,
  getWebhook: TENANT_WEBHOOKS,
  deleteWebhook: TENANT_WEBHOOKS,
  rotateWebhookSecret: TENANT_WEBHOOKS,
  testWebhook: TENANT_WEBHOOKS,
  listWebhookDeliveries: TENANT_WEBHOOKS,
  replayWebhook: TENANT_WEBHOOKS,
  listWork: TENANT_WORK,
  replayWork: TENANT_WORK,
  startConsolidation: TENANT_WORK,
  listConsolidationRuns: TENANT_WORK,
  getConsolidationRun: TENANT_WORK,
  undoConsolidationRun: TENANT_WORK,
  listMindRuns: TENANT_WORK,
  callMcp: {
    user: byRows(TOOLS),
    agent: byRows(TOOLS),
    categories: byRows(TOOLS),
    scopes: 'A key has a tool if it is bound to a user and may call the routes behind the tool.',
  },
  createChatCompletion: {
    user: byRows(CHAT),
    agent: byRows(CHAT),
    categories: byRows(CHAT),
    scopes: '`query` recalls, `ingest` stores what was said; a key with one of them does that alone.',
  },
  listChatModels: { user: byRows(MODELS), agent: byRows(MODELS), categories: byRows(MODELS) },
  listKeys: TENANT_KEYS,
  createKey: TENANT_KEYS,
  revokeKey: TENANT_KEYS,
  getWorkOverview: OPERATOR,
  listTenants: OPERATOR,
  createTenant: OPERATOR,
  patchTenant: OPERATOR,
  deleteTenant: OPERATOR,
  createTenantKey: OPERATOR,
  getLiveness: PUBLIC,
  getReadiness: PUBLIC,
  getMetrics: PUBLIC,
} as const satisfies RouteAccessTable<typeof routes>;

/** The entries by name, without their literal types. */
export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = routeAccess;
