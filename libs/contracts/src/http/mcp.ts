import { z } from 'zod';

/** What is sent to `/mcp` and returned is defined, and validated, by the Model Context Protocol (docs/mcp.md). */
export const mcpMessageSchema = z.unknown().describe('A message of the Model Context Protocol, in JSON-RPC 2.0.');
export const mcpResponseSchema = z
  .unknown()
  .describe('The response of the protocol. Clients that speak a revision before 2026-07-28 get it as an event stream.');
