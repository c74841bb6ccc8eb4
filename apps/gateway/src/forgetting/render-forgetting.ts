import type { MemoriesForgotten } from '@annals/contracts';
import type { ForgetRequest } from '@annals/domain';
import type { ForgetSubjectResult } from '@annals/storage';

const MAX_STILL_MENTIONED = 100;

export type PlannedResult = Extract<ForgetSubjectResult, { outcome: 'forgotten' | 'previewed' }>;

/** How each kind of request is shown: a personal value is an identifier, whoever is meant a subject. */
const KINDS: Readonly<Record<ForgetRequest['kind'], MemoriesForgotten['kind']>> = {
  statement: 'statement',
  identifier: 'identifier',
  placeholder: 'identifier',
  relation: 'subject',
  name: 'subject',
};

/** What was forgotten, or would be: with its words only where it is all still there. */
export function renderForgetting(
  kind: ForgetRequest['kind'],
  { outcome, plan, counts }: PlannedResult,
): MemoriesForgotten {
  const isDryRun = outcome === 'previewed';
  const { stored, cuts, others } = plan;
  const memories = new Map(stored.memories.map((memory) => [memory.id, memory]));
  const turns = new Map(stored.turns.map((turn) => [turn.id, turn]));
  const withText = (text: string | undefined) => (isDryRun && text !== undefined ? { text } : {});
  const known = counts.memoryIds.flatMap((id) => memories.get(id) ?? []);
  const insights = known.filter(({ type }) => type === 'insight').length;
  return {
    dry_run: isDryRun,
    kind: KINDS[kind],
    plan: plan.digest,
    counts: {
      memories: counts.memoryIds.length - insights,
      insights,
      turns: cuts.length,
      echoes: cuts.filter(({ isEcho }) => isEcho).length,
      summaries: counts.summaries,
      relations: counts.relations,
      app_memories: counts.appMemories,
      context: others.filter((other) => ['field', 'goal', 'proposal'].includes(other.kind)).length,
    },
    memories: known.map(({ id, category, type, content }) => ({ id, category, type, ...withText(content) })),
    turns: cuts.map(({ messageId, rest, isEcho }) => ({
      conversation_id: stored.conversationOf.get(messageId)!,
      message_id: messageId,
      is_echo: isEcho,
      is_whole: rest === '',
      ...withText(turns.get(messageId)?.content),
    })),
    still_mentions: plan.still.slice(0, MAX_STILL_MENTIONED).map(({ kind: of, id, why }) => ({
      kind: of,
      id,
      why,
      ...withText(of === 'memory' ? memories.get(id)?.content : turns.get(id)?.content),
    })),
  };
}
