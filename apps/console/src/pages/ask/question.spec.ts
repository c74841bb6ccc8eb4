import { isComplete, readQuestion, toRequest } from './question.ts';

describe('a question in the address of the page', () => {
  const read = (search: string) => readQuestion(new URLSearchParams(search));

  it('is read from its parameters, without those that are empty or of others', () => {
    expect(read('user=ada&query=Where%3F&agent=&page=2')).toEqual({ user: 'ada', query: 'Where?' });
  });

  it('can be asked with a user and a question', () => {
    expect(['user=ada', 'query=Where', 'user=ada&query=Where'].map((search) => isComplete(read(search)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('asks for the explanation, and for nothing that was not given', () => {
    expect(toRequest(read('user=ada&query=Where'))).toEqual({
      query: 'Where',
      filters: { user_id: 'ada' },
      explain: true,
      return: 'full',
    });
  });

  it('asks as another agent, in a thread since a revision, within a budget, at the end of a day', () => {
    const search = 'user=ada&query=Where&agent=supervisor&thread=t1&since=4&tokens=300&as_of=2026-02-03';
    expect(toRequest(read(search))).toMatchObject({
      agent: 'supervisor',
      thread_id: 't1',
      since_rev: 4,
      budget_tokens: 300,
      as_of: '2026-02-03T23:59:59.999Z',
    });
  });
});
