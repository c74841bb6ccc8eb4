import type { Tool } from 'ai';
import type { ClientWith } from '../client.js';
import { requireText } from '../require-text.js';
import { SYSTEM, type System } from '../system.js';
import { type ContextInput, type ContextOutput, contextTool } from './context.js';
import { type ForgetInput, type ForgetOutput, forgetTool } from './forget.js';
import { type RememberInput, type RememberOutput, rememberTool } from './remember.js';
import { type SearchInput, type SearchOutput, searchMemoryTool } from './search-memory.js';

export type ToolsClient = ClientWith<'memory' | 'memories' | 'conversations' | 'users' | 'threads'>;

export interface ToolsOptions {
  /** Whose memory: no argument of a tool names a user. */
  readonly user: string;
  /** Where what is remembered belongs, and what `context` tells changes of. Default: a thread for each day (UTC), such as `ai-sdk-2026-11-28`. */
  readonly thread?: string;
  /** In whose name is read and written: its allowlist of categories applies. */
  readonly agent?: string;
}

export interface ToolContext extends ToolsOptions {
  readonly client: ToolsClient;
  readonly now: () => number;
}

/** A type and no interface, so that it is a `ToolSet`. */
export type AnnalsTools = {
  context: Tool<ContextInput, ContextOutput>;
  searchMemory: Tool<SearchInput, SearchOutput>;
  remember: Tool<RememberInput, RememberOutput>;
  forget: Tool<ForgetInput, ForgetOutput>;
};

/** The memory of one user as tools for a model: what `/mcp` offers, through the REST API. */
export function annalsTools(client: ToolsClient, options: ToolsOptions): AnnalsTools {
  return createTools(client, options, SYSTEM);
}

export function createTools(client: ToolsClient, options: ToolsOptions, system: System): AnnalsTools {
  requireText({ ...options }, 'user', 'whose memory it is');
  const context: ToolContext = { ...options, client, now: () => system.now() };
  return {
    context: contextTool(context),
    searchMemory: searchMemoryTool(context),
    remember: rememberTool(context),
    forget: forgetTool(context),
  };
}
