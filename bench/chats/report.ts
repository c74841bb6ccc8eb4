import { averageRow, type ReportRow, type Side } from '../locomo/report.ts';
import { scoreQuestion } from '../locomo/score.ts';
import type { AskedQuestion } from './ask.ts';
import { KINDS } from './chat.ts';

type Group = readonly [title: string, includes: (question: AskedQuestion) => boolean];

/** Transposed questions have rows of their own, so that the others are means over what was written. */
const GROUPS: readonly Group[] = [
  ['all', isWritten],
  ['in user turns', (question) => isWritten(question) && question.role === 'user'],
  ['in assistant turns', (question) => isWritten(question) && question.role === 'assistant'],
  ['asked by "I"', ({ form }) => form === 'first'],
  ['asked of "the user"', ({ form }) => form === 'third'],
  ['words of "I", of "the user"', ({ form }) => form === 'transposed'],
  ['user turns, "I"', ({ role, form }) => role === 'user' && form === 'first'],
  ['user turns, "the user"', ({ role, form }) => role === 'user' && form === 'third'],
  ['user turns, words of "I"', ({ role, form }) => role === 'user' && form === 'transposed'],
  ['assistant, "I"', ({ role, form }) => role === 'assistant' && form === 'first'],
  ['assistant, "the user"', ({ role, form }) => role === 'assistant' && form === 'third'],
  ['assistant, words of "I"', ({ role, form }) => role === 'assistant' && form === 'transposed'],
  ...KINDS.map((kind): Group => [kind, (question) => isWritten(question) && question.kind === kind]),
];

function isWritten({ form }: AskedQuestion): boolean {
  return form !== 'transposed';
}

/** Rows of a side: all questions, then by role of the evidence, by form, by both, and by kind. */
export function summarizeChats({ name, results }: Side, questions: readonly AskedQuestion[]): ReportRow[] {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const scored = results.map(({ question, answers }) => ({
    asked: byId.get(question.id)!,
    scores: scoreQuestion(question, answers),
  }));
  return GROUPS.map(([title, includes]) =>
    averageRow(
      name,
      title,
      scored.filter(({ asked }) => includes(asked)).map(({ scores }) => scores),
    ),
  );
}
