import { createSliceMeter, runInSlices, type Sliced } from '@annals/domain';
import { createOwnWordsReader } from '@annals/english';
import { findWorkflows, type Workflow, type WorkMessage } from '@annals/local-provider';
import type { StoredTurn } from '@annals/storage';
import type { BatchTurns } from '../prompt/select-excerpt.js';

/** Messages before the batch in which work may have begun. */
const EARLIER_MESSAGES = 60;

export interface WorkOptions {
  /** `ANNALS_PROCEDURE_AGENTS`. */
  readonly agents: string;
  /** `agent_id` of the conversation: who its assistant is when a message names nobody. */
  readonly agentId: string | null;
  /** Loads messages of the conversation before the batch, the last `count`, in order. */
  readonly loadEarlier: (count: number) => Promise<readonly StoredTurn[]>;
  readonly pause: () => Promise<void>;
}

/**
 * The workflows that were confirmed in a batch (docs/reference/extraction.md#procedures-from-the-work-of-agents).
 * Conversations without such agents are not read.
 */
export async function findBatchWorkflows(
  { messages, context }: BatchTurns,
  { agents, agentId, loadEarlier, pause }: WorkOptions,
): Promise<Workflow[]> {
  const isAgent = createAgentTest(agents, agentId);
  if (![...context, ...messages].some(isAgent)) return [];
  const earlier = await loadEarlier(EARLIER_MESSAGES);
  const ids = new Set(messages.map(({ id }) => id));
  const workflows = await runInSlices(readWorkflows([...earlier, ...messages], isAgent), pause);
  return workflows.filter(({ confirmedBy }) => ids.has(confirmedBy));
}

function* readWorkflows(
  messages: readonly StoredTurn[],
  isAgent: (message: StoredTurn) => boolean,
): Sliced<Workflow[]> {
  const meter = createSliceMeter();
  const readOwnWords = createOwnWordsReader();
  const work: WorkMessage[] = [];
  for (const message of messages) {
    const { id, role, actorId, content } = message;
    yield* meter(content.length);
    const isOfSpeech = role === 'user' || isAgent(message);
    const ownWords = isOfSpeech ? yield* readOwnWords({ ...message, speaker: `${role} ${actorId ?? ''}` }) : [];
    work.push({ id, role, isAgent: isAgent(message), content, ownWords });
  }
  return yield* findWorkflows(work);
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
