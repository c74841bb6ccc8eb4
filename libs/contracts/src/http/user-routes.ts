import { KEY_SCOPES, ownKeySchema } from './admin.js';
import { categoryConfigSchema } from './categories.js';
import * as conversations from './conversations.js';
import { defineRoute } from './route-definition.js';
import * as users from './users.js';

const EVERY_KEY = [...KEY_SCOPES, 'operator'] as const;

/** What a client that knows no ids begins with: its own key, the users, their conversations, and the categories. */
export const userRoutes = {
  getOwnKey: defineRoute({
    method: 'GET',
    path: '/v1/key',
    summary: 'The API key of the request: its scopes, what it is bound to, and its tenant.',
    tag: 'admin',
    scopes: EVERY_KEY,
    responses: { 200: ownKeySchema },
  }),
  endOwnKey: defineRoute({
    method: 'DELETE',
    path: '/v1/key',
    summary: 'Revoke the API key of the request, as when somebody signs out. Only for keys that expire.',
    tag: 'admin',
    scopes: EVERY_KEY,
    responses: { 200: ownKeySchema },
    problems: ['not_found'],
  }),
  listUsers: defineRoute({
    method: 'GET',
    path: '/v1/users',
    summary: 'Users of the tenant in the order of their ids, with the number of their memories.',
    tag: 'users',
    scopes: ['admin'],
    query: users.listUsersQuerySchema,
    responses: { 200: users.userPageSchema },
  }),
  listConversations: defineRoute({
    method: 'GET',
    path: '/v1/conversations',
    summary: 'Conversations of a user without their messages; what changed last comes first.',
    tag: 'conversations',
    scopes: ['ingest', 'admin'],
    query: conversations.listConversationsQuerySchema,
    responses: { 200: conversations.conversationPageSchema },
    problems: ['forbidden_user', 'forbidden_category'],
  }),
  listCategories: defineRoute({
    method: 'GET',
    path: '/v1/categories',
    summary: 'The categories of memories, and which of them each agent may use.',
    tag: 'memories',
    scopes: EVERY_KEY,
    responses: { 200: categoryConfigSchema },
  }),
};
