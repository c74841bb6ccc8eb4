import { type ExtractedItem, MAX_MEMORY_LENGTH, PROCEDURAL_CATEGORY } from '@annals/contracts';
import { composeProcedure, formatStep, groundMemory } from '@annals/domain';
import { buildProcedurePrompt, parseProcedures, type WordedProcedure } from '@annals/llm-core';
import { isSupportedStep, isWorkInstruction, LOCAL_RULES, MIN_WORK_STEPS, type Workflow } from '@annals/local-provider';
import { CAPPED, checkDailyCap } from '../call-model/daily-cap.js';
import { type FollowUp, type FollowUpAnswer, requestOnce } from '../call-model/request-once.js';
import { UNCONFIRMED } from '../ground/ground-answer.js';

const MAX_WORK_STEPS = 10;
const MAX_TAGS = 5;
/** In UTF-16 units. */
const MAX_TITLE = 160;
/** The latest workflows of a batch share one call. */
const MAX_WORKFLOWS = 3;
/** Output of a workflow: ten steps with their quotes. */
const TOKENS_PER_WORKFLOW = 1_000;
const CONFIDENCE = 0.8;
const IMPORTANCE = 3;

type Outcome = 'model' | 'rules' | 'capped' | 'failed' | 'declined' | 'unsupported';

/** What became of the workflows of a batch: outcomes and a reason code, no content. */
export interface ProcedureReport {
  readonly outcomes: readonly Outcome[];
  /** Why no model has worded them, or null. */
  readonly skippedReason: string | null;
  /** The same where a model was asked, but has not answered usably; else null. */
  readonly failure: string | null;
  readonly author: { readonly provider: string; readonly model: string; readonly promptVersion: string | null };
}

/**
 * Makes a procedure of each workflow (docs/reference/extraction.md#procedures-from-the-work-of-agents): worded by the
 * model, all in one call, or by rules without one. Never throws.
 */
export async function recordWorkflows(
  found: readonly Workflow[],
  followUp: FollowUp,
): Promise<{ items: ExtractedItem[]; report: ProcedureReport | null }> {
  const workflows = found.slice(-MAX_WORKFLOWS);
  if (workflows.length === 0) return { items: [], report: null };
  const prompt = buildProcedurePrompt(workflows.map(listLines));
  const answer: FollowUpAnswer<ReadonlyMap<number, WordedProcedure>> = await requestOnce(followUp, {
    operation: 'procedural',
    task: 'write_procedures',
    prompt,
    findRefusal: () => checkDailyCap(followUp, 'procedural', followUp.config.procedures.dailyCalls),
    maxOutputTokens: workflows.length * TOKENS_PER_WORKFLOW,
    expectedOutputTokens: workflows.length * TOKENS_PER_WORKFLOW,
    read: ({ text }) => parseProcedures(text, prompt),
  });
  const recorded = workflows.map((workflow, index): { item: ExtractedItem | null; outcome: Outcome } => {
    const worded = answer.answered ? answer.value.get(index) : wordByRules(workflow);
    if (!worded) return { item: null, outcome: 'declined' };
    const item = toItem(workflow, worded);
    const wording = describeWording(answer);
    return { item, outcome: item === null && wording !== 'failed' ? 'unsupported' : wording };
  });
  const { provider } = followUp;
  return {
    items: recorded.flatMap(({ item }) => item ?? []),
    report: {
      outcomes: recorded.map(({ outcome }) => outcome),
      skippedReason: answer.answered ? null : answer.why,
      failure: !answer.answered && answer.asked ? answer.why : null,
      author:
        answer.answered && provider
          ? { provider: provider.name, model: provider.model, promptVersion: prompt.version }
          : { provider: 'local', model: LOCAL_RULES, promptVersion: null },
    },
  };
}

/** Who words the steps, and why it is no model that was asked or could have been. */
function describeWording(answer: FollowUpAnswer<unknown>): Outcome {
  if (answer.answered) return 'model';
  if (answer.asked) return 'failed';
  return answer.why === CAPPED ? 'capped' : 'rules';
}

/** The request, the messages that report the work, and the last confirmation. */
function listLines({ messages, steps, confirmedBy }: Workflow) {
  const ids = new Set([messages[0]?.id, ...steps.map(({ evidence }) => evidence.message_id), confirmedBy]);
  return messages
    .filter(({ id }) => ids.has(id))
    .map(({ id, role, isAgent, content }) => ({ id, speaker: isAgent ? ('agent' as const) : role, content }));
}

function wordByRules({ steps, tags }: Workflow): WordedProcedure {
  return {
    tags,
    steps: steps.map(({ instruction, evidence: { message_id, quote } }) => ({
      instruction,
      messageId: message_id,
      quote,
    })),
  };
}

/** Null when fewer than three of its steps are supported, or more than ten are left. */
function toItem(workflow: Workflow, worded: WordedProcedure): ExtractedItem | null {
  const { messages, words, goal, isProven } = workflow;
  const reporting = new Set(workflow.steps.map(({ evidence }) => evidence.message_id));
  // What an agent says itself: texts that it cites are no evidence of its work.
  const citable = new Map(
    messages
      .filter(({ id }) => reporting.has(id))
      .map(({ id, role, ownWords }) => [id, { role, content: ownWords.join('\n\n') }] as const),
  );
  const steps = worded.steps.flatMap(({ instruction, messageId, quote }) => {
    const text = formatStep(instruction);
    const evidence = { message_id: messageId, quote };
    const isGrounded = groundMemory({ evidence: [evidence] }, citable, { allowAssistant: true }).grounded;
    if (text === null || !isGrounded || !isWorkInstruction(text) || !isSupportedStep(text, words)) return [];
    return [{ text, evidence }];
  });
  if (steps.length < MIN_WORK_STEPS || steps.length > MAX_WORK_STEPS) return null;
  const isDictated = steps.some(
    ({ text, evidence }) => workflow.isDictated(text) || workflow.isDictated(evidence.quote),
  );
  const content = composeProcedure({
    title: `How to ${lowerFirst(goal.replace(/^how to\s+/iu, '').replace(/\s+/gu, ' '))}`
      .slice(0, MAX_TITLE)
      .toWellFormed(),
    steps: steps.map(({ text }) => text),
    tags: selectTags(worded.tags, workflow),
  });
  if (content.length > MAX_MEMORY_LENGTH) return null;
  return {
    content,
    category: PROCEDURAL_CATEGORY,
    type: 'procedural',
    importance: IMPORTANCE,
    confidence: CONFIDENCE,
    evidence: steps.map(({ evidence }) => evidence),
    ...(isDictated || !isProven ? { quarantineReason: UNCONFIRMED } : {}),
  };
}

const TAG = /^[\p{Ll}\p{Lo}\d][\p{Ll}\p{Lo}\d-]{1,31}$/u;

/** Single words that agents used; those of the goal where a model gives none. */
function selectTags(tags: readonly string[], { words, tags: ownTags }: Workflow): readonly string[] {
  const supported = [...new Set(tags.map((tag) => tag.toLowerCase()))].filter(
    (tag) => TAG.test(tag) && isSupportedStep(tag, words),
  );
  return (supported.length > 0 ? supported : ownTags).slice(0, MAX_TAGS);
}

function lowerFirst(text: string): string {
  return /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
