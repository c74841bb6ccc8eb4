import type { MemoryType, WritingRule } from '@annals/contracts';
import { checkWriting } from './check-writing.js';
import { formatStep, MAX_STEP_LENGTH } from './procedure.js';

/** What somebody writes by hand, before redaction: the content of a memory, or the title and steps of a procedure. */
export interface ManualWriting {
  readonly content: string;
  readonly type: MemoryType;
  readonly steps?: readonly string[] | undefined;
}

export interface ManualWritingViolation {
  readonly rule: WritingRule;
  readonly field: 'content' | `steps[${number}]`;
}

/**
 * The rules that a manual memory violates, in the order of its fields and of the rules
 * (docs/reference/writing-constraints.md#memories-written-by-hand).
 */
export function checkManualWriting(writing: ManualWriting): ManualWritingViolation[] {
  if (writing.type === 'procedural') return checkProcedure(writing);
  return checkWriting(writing).map((rule) => ({ rule, field: 'content' }));
}

/** The form of a procedure is its own: "your laptop" and several sentences are usual in instructions. */
function checkProcedure({ content, type, steps = [] }: ManualWriting): ManualWritingViolation[] {
  // A procedure that is changed comes with its steps, on the lines below the title.
  const [title = ''] = content.split('\n', 1);
  return [
    ...(checkWriting({ content: title, type }).includes('not_self_contained')
      ? [{ rule: 'not_self_contained', field: 'content' } as const]
      : []),
    ...steps.flatMap((step, index): ManualWritingViolation[] =>
      step.length < MAX_STEP_LENGTH && formatStep(step) === null ? [{ rule: 'empty', field: `steps[${index}]` }] : [],
    ),
  ];
}
