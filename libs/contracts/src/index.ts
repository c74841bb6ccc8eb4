export * from './primitives.js';
export * from './memory/vocabulary.js';
export * from './memory/extracted-memory.js';
export * from './jobs/queues.js';
export * from './http/problem.js';
export * from './http/conversations.js';
export * from './http/batches.js';
export * from './http/categories.js';
export * from './http/person-links.js';
export * from './http/users.js';
export * from './http/memories.js';
export * from './http/memory-query.js';
export * from './http/threads.js';
export * from './http/events.js';
export * from './http/context.js';
export * from './http/checkpoints.js';
export * from './http/langgraph.js';
export * from './http/langgraph-store.js';
export { MAX_JSON_DEPTH } from './http/storable-json.js';
export * from './http/admin.js';
export * from './http/privacy.js';
export * from './http/import.js';
export * from './http/forgetting.js';
export * from './http/usage.js';
export * from './http/webhooks.js';
export * from './http/work.js';
export * from './http/insights.js';
export * from './http/apps.js';
export * from './http/chat.js';
export * from './http/mcp.js';
export * from './http/minds.js';
export * from './http/consolidation.js';
export * from './http/energy.js';
export * from './http/health.js';
export * from './http/route-definition.js';
export * from './http/routes.js';
export type { BindingRule, FieldOf, LimitingRule, Acknowledgement, RouteAccess } from './access/route-access.js';
export { LINK_SCOPE, PERSON_ROUTES, PERSON_SCOPE } from './access/person.js';
export { ROUTE_ACCESS } from './access/table.js';
export {
  memoriesForgottenAcknowledgementSchema,
  memoryAcknowledgementSchema,
  memoryWrittenAcknowledgementSchema,
  proposalDecidedAcknowledgementSchema,
  userContextAcknowledgementSchema,
} from './access/acknowledgements.js';
