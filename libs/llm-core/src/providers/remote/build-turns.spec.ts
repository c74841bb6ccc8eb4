import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { buildTurns, listPromptTexts, MAX_CORRECTED_ANSWER_LENGTH } from './build-turns.js';

describe('buildTurns', () => {
  it('adds the schema to the prompt only if the endpoint does not enforce it', () => {
    const request = sampleRequest();
    expect(buildTurns(request, 'schema')).toEqual([{ role: 'user', content: request.prompt.user }]);
    for (const mode of ['json_object', 'text'] as const) {
      const [turn] = buildTurns(request, mode);
      const parts = turn?.content.split(request.prompt.user);
      expect(parts?.[0]).toContain(JSON.stringify(request.prompt.schema));
      expect(parts?.[1]).toMatch(/^\s+Answer with JSON only[^\n]+\.$/);
    }
  });

  it('adds the failed answer and its problem, and ends with a user turn', () => {
    const correction = { answer: '{"memories": [', problem: 'The JSON ends early.' };
    const turns = buildTurns(sampleRequest({ correction }), 'schema');
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(turns[1]?.content).toBe('{"memories": [');
    expect(turns[2]?.content).toContain('The JSON ends early.');
  });

  it.each([
    ['', '(no text)'],
    [' \n ', '(no text)'],
    [`${'x'.repeat(MAX_CORRECTED_ANSWER_LENGTH - 1)}😀`, `${'x'.repeat(MAX_CORRECTED_ANSWER_LENGTH - 1)}\uFFFD`],
  ])('replaces an empty answer and truncates a long one (case %#)', (answer, expected) => {
    const [, shown] = buildTurns(sampleRequest({ correction: { answer, problem: 'It is not JSON.' } }), 'schema');
    expect(shown?.content).toBe(expected);
  });
});

describe('listPromptTexts', () => {
  it('contains everything that is sent to the model', () => {
    const request = sampleRequest({ correction: { answer: 'no JSON', problem: 'It is not JSON.' } });
    const sent = listPromptTexts(request).join('\n');
    const { system, user, schema } = request.prompt;
    for (const text of [system, user, JSON.stringify(schema), 'no JSON', 'It is not JSON.']) {
      expect(sent).toContain(text);
    }
  });
});
