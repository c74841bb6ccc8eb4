import { createSliceMeter, type Sliced } from '@annals/domain';
import { createOwnWordsReader } from '@annals/english';
import { findWorkflows, type Workflow, type WorkMessage } from '@annals/local-provider';
import type { StoredTurn } from '@annals/storage';
import type { BatchReading } from '../ground/read-batch.js';
import type { BatchTurns } from '../prompt/select-excerpt.js';

export interface WorkOptions {
  /** `ANNALS_PROCEDURE_AGENTS`. */
  readonly agents: string;
  /** `agent_id` of the conversation: who its assistant is when a message names nobody. */
  readonly agentId: string | null;
  readonly reading: Pick<BatchReading, 'ownWords'>;
}

/**
 * The workflows that were confirmed in a batch (docs/reference/extraction.md#procedures-from-the-work-of-agents); they may
 * have begun in the messages before it. Conversations without such agents cost nothing.
 */
export function* findBatchWorkflows(
  { messages, context }: BatchTurns,
  { agents, agentId, reading }: WorkOptions,
): Sliced<Workflow[]> {
  const isAgent = createAgentTest(agents, agentId);
  if (!messages.some(isAgent) && !context.some(isAgent)) return [];
  const meter = createSliceMeter();
  const readOwnWords = createOwnWordsReader();
  const work: WorkMessage[] = [];
  for (const message of [...context, ...messages]) {
    const { id, role, content } = message;
    yield* meter(content.length);
    const said = role === 'user' ? (reading.ownWords.get(id) ?? [content]) : [];
    const ownWords = isAgent(message) ? yield* readOwnWords({ ...message, speaker: message.actorId }) : said;
    work.push({ id, role, isAgent: isAgent(message), content, ownWords });
  }
  const ids = new Set(messages.map(({ id }) => id));
  return (yield* findWorkflows(work)).filter(({ confirmedBy }) => ids.has(confirmedBy));
}

const SEPARATOR = /^[-_.:/#]/u;

/** True for messages of an assistant that is one of `agents`, as in "executor" or "executor-2". */
function createAgentTest(agents: string, agentId: string | null): (message: StoredTurn) => boolean {
  const names = agents === 'off' ? [] : agents.toLowerCase().split(',');
  return ({ role, actorId }) => {
    const actor = (actorId ?? agentId ?? '').toLowerCase();
    return (
      role === 'assistant' &&
      names.some((name) => actor === name || (actor.startsWith(name) && SEPARATOR.test(actor.slice(name.length))))
    );
  };
}
