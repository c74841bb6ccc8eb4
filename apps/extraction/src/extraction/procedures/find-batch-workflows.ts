import { createSliceMeter, runInSlices, type Sliced } from '@annals/domain';
import { createOwnWordsReader } from '@annals/english';
import { findWorkflows, type Workflow, type WorkMessage } from '@annals/local-provider';
import type { StoredTurn } from '@annals/storage';
import type { BatchReading } from '../ground/read-batch.js';
import type { BatchTurns } from '../prompt/select-excerpt.js';

/** Messages before the batch in which work may have begun. */
export const EARLIER_MESSAGES = 60;

export interface WorkOptions {
  /** `ANNALS_PROCEDURE_AGENTS`. */
  readonly agents: string;
  /** `agent_id` of the conversation: who its assistant is when a message names nobody. */
  readonly agentId: string | null;
  /** Who said a message of the role `user`. */
  readonly identify: BatchReading['identify'];
  /** Loads messages of the conversation before the batch, the last `count`, in order. */
  readonly loadEarlier: (count: number) => Promise<readonly StoredTurn[]>;
  readonly pause: () => Promise<void>;
}

/**
 * The workflows that were over in a batch (docs/reference/extraction.md#procedures-from-the-work-of-agents).
 * Conversations without such agents are not read.
 */
export async function findBatchWorkflows(
  { messages, context }: BatchTurns,
  { agents, agentId, identify, loadEarlier, pause }: WorkOptions,
): Promise<Workflow[]> {
  const isAgent = createAgentTest(agents, agentId);
  if (![...context, ...messages].some(isAgent)) return [];
  const earlier = await loadEarlier(EARLIER_MESSAGES);
  const ids = new Set(messages.map(({ id }) => id));
  const workflows = await runInSlices(readWorkflows([...earlier, ...messages], isAgent, identify), pause);
  return workflows.filter(({ endedBy }) => ids.has(endedBy));
}

function* readWorkflows(
  messages: readonly StoredTurn[],
  isAgent: (message: StoredTurn) => boolean,
  identify: BatchReading['identify'],
): Sliced<Workflow[]> {
  const meter = createSliceMeter();
  const readOwnWords = createOwnWordsReader();
  const work: WorkMessage[] = [];
  for (const message of messages) {
    const { id, role, actorId, content } = message;
    yield* meter(content.length);
    const isOfSpeech = role === 'user' || isAgent(message);
    const ownWords = isOfSpeech ? yield* readOwnWords({ ...message, speaker: `${role} ${actorId ?? ''}` }) : [];
    const isUser = role === 'user' && identify(message).isUser;
    work.push({ id, role, isUser, isAgent: isAgent(message), content, ownWords });
  }
  return yield* findWorkflows(work);
}

const SEPARATOR = /^[-_.:/#]/u;

/**
 * True for messages of an assistant that is one of `agents`, as in "executor" or "executor-2". In the conversation
 * of another agent there are none, whoever its messages claim to be from.
 */
function createAgentTest(agents: string, agentId: string | null): (message: StoredTurn) => boolean {
  const names = agents === 'off' ? [] : agents.toLowerCase().split(',');
  const isListed = (id: string) =>
    names.some((name) => id === name || (id.startsWith(name) && SEPARATOR.test(id.slice(name.length))));
  const isOthers = agentId !== null && !isListed(agentId.toLowerCase());
  return ({ role, actorId }) => role === 'assistant' && !isOthers && isListed((actorId ?? agentId ?? '').toLowerCase());
}
