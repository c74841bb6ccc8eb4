import { ProblemError } from '@annals/contracts';
import type { Principal } from '../../auth/principal.js';
import type { RouteGuard } from '../../auth/route-guard.js';
import type { Tool } from './define-tool.js';
import { memoryContext } from './memory-context.js';
import { memoryForget } from './memory-forget.js';
import { memoryQuery } from './memory-query.js';
import { memoryRemember } from './memory-remember.js';

/** Every tool, in the order in which a conversation needs them. */
const TOOLS: readonly Tool[] = [memoryContext, memoryQuery, memoryRemember, memoryForget];

export const UNBOUND_KEY =
  'This key is not bound to a user, so it has no tools. Create one with POST /v1/admin/keys: {"name": "…", "user_id": "…", "scopes": ["query", "ingest"]}.';

/** The tools of a key, and why it does not have each of the others. */
export interface ToolsOfKey {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly missing: ReadonlyMap<string, string>;
}

/** A tool exists for a key that is bound to a user and may call every route behind it. */
export function listToolsOfKey(caller: Principal, guard: Pick<RouteGuard, 'checkRoute'>): ToolsOfKey {
  const tools = new Map<string, Tool>();
  const missing = new Map<string, string>();
  for (const tool of TOOLS) {
    const reason = explainMissing(tool, caller, guard);
    if (reason === null) tools.set(tool.definition.name, tool);
    else missing.set(tool.definition.name, reason);
  }
  return { tools, missing };
}

function explainMissing({ routes }: Tool, caller: Principal, guard: Pick<RouteGuard, 'checkRoute'>): string | null {
  if (caller.bindings.userId === null) return UNBOUND_KEY;
  try {
    for (const route of routes) guard.checkRoute(route, caller);
    return null;
  } catch (error) {
    if (error instanceof ProblemError) return error.detail;
    throw error;
  }
}
