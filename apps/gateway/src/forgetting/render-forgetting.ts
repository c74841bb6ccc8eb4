import type { MemoriesForgotten } from '@annals/contracts';
import type { ForgetRequest } from '@annals/domain';
import type { ForgetSubjectResult } from '@annals/storage';

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
  { outcome, plan, named, counts }: PlannedResult,
): MemoriesForgotten {
  const isDryRun = outcome === 'previewed';
  const { cuts, others } = plan;
  const { memories, turns } = named;
  const withText = (text: string | undefined) => (isDryRun && text !== undefined ? { text } : {});
  const insights = counts.memories.filter(({ type }) => type === 'insight').length;
  return {
    dry_run: isDryRun,
    kind: KINDS[kind],
    plan: plan.digest,
    counts: {
      memories: counts.memories.length - insights,
      insights,
      turns: cuts.length,
      echoes: cuts.filter(({ isEcho }) => isEcho).length,
      summaries: counts.summaries,
      relations: counts.relations,
      app_memories: counts.appMemories,
      context: others.filter((other) => ['field', 'goal', 'proposal'].includes(other.kind)).length,
    },
    memories: counts.memories.map(({ id, category, type }) => ({
      id,
      category,
      type,
      ...withText(memories.get(id)?.content),
    })),
    turns: cuts.map(({ messageId, rest, isEcho }) => ({
      conversation_id: turns.get(messageId)!.conversation_id,
      message_id: messageId,
      is_echo: isEcho,
      is_whole: rest === '',
      ...withText(turns.get(messageId)?.content),
    })),
    still_mentions: plan.still.map(({ kind: of, id, why }) => ({
      kind: of,
      id,
      why,
      ...withText(of === 'memory' ? memories.get(id)?.content : turns.get(id)?.content),
    })),
  };
}
