import { averageRow, type ReportRow, type Side } from '../locomo/report.ts';
import { scoreQuestion } from '../locomo/score.ts';
import type { AskedQuestion } from './ask.ts';
import { KINDS } from './chat.ts';

type Group = readonly [title: string, includes: (question: AskedQuestion) => boolean];

const GROUPS: readonly Group[] = [
  ['all', () => true],
  ['in user turns', ({ role }) => role === 'user'],
  ['in assistant turns', ({ role }) => role === 'assistant'],
  ['asked by "I"', ({ person }) => person === 'first'],
  ['asked of "the user"', ({ person }) => person === 'third'],
  ['user turns, "I"', ({ role, person }) => role === 'user' && person === 'first'],
  ['user turns, "the user"', ({ role, person }) => role === 'user' && person === 'third'],
  ['assistant, "I"', ({ role, person }) => role === 'assistant' && person === 'first'],
  ['assistant, "the user"', ({ role, person }) => role === 'assistant' && person === 'third'],
  ...KINDS.map((kind): Group => [kind, (question) => question.kind === kind]),
];

/** Rows of a side: all questions, then by role of the evidence, by person, by both, and by kind. */
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
