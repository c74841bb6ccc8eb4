import { mcpMessageSchema, mcpResponseSchema } from './mcp.js';
import { defineRoute } from './route-definition.js';

export const mcpRoutes = {
  callMcp: defineRoute({
    method: 'POST',
    path: '/mcp',
    summary: 'Model Context Protocol: tools for the memory of the user that the key is bound to.',
    tag: 'mcp',
    scopes: ['query', 'ingest'],
    body: mcpMessageSchema,
    responses: { 200: mcpResponseSchema, 202: null },
    responseDescriptions: { 202: 'The message was a notification, which has no response.' },
    problems: ['forbidden_origin'],
  }),
} as const;
