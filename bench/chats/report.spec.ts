import type { QueryResult } from '../locomo/query.ts';
import type { AskedQuestion } from './ask.ts';
import { summarizeChats } from './report.ts';

function ask(id: string, role: AskedQuestion['role'], form: AskedQuestion['form']): AskedQuestion {
  return { id, role, form, kind: 'fact', category: 'fact', question: id, evidence: [id], answer: null };
}

function answer(question: AskedQuestion, found: boolean): QueryResult {
  const returned = found ? [{ messageIds: [...question.evidence], text: 'text' }] : [];
  const answers = { atDepth: { 5: returned, 10: returned, 20: returned }, withinTokens: { 500: [], 1_000: returned } };
  return { question, answers };
}

describe('summarizeChats', () => {
  it('averages by role of the evidence, by form, by both and by kind', () => {
    const questions = [
      ask('a', 'user', 'first'),
      ask('b', 'user', 'third'),
      ask('c', 'assistant', 'first'),
      ask('d', 'assistant', 'third'),
      ask('e', 'user', 'transposed'),
    ];
    const results = questions.map((question) => answer(question, ['a', 'c', 'd'].includes(question.id)));
    const rows = summarizeChats({ name: 'side', results }, questions);
    const recall = Object.fromEntries(rows.map(({ category, scores }) => [category, scores['recall@10']]));
    expect(recall).toMatchObject({
      all: 0.75,
      'in user turns': 0.5,
      'in assistant turns': 1,
      'asked by "I"': 1,
      'asked of "the user"': 0.5,
      'words of "I", of "the user"': 0,
      'user turns, "I"': 1,
      'user turns, "the user"': 0,
      'assistant, "the user"': 1,
      fact: 0.75,
      sum: null,
    });
  });
});
