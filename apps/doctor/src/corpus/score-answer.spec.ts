import { buildCorpusRequest, CORPUS } from './corpus.js';
import { scoreAnswer } from './score-answer.js';

const [FIRST] = CORPUS;
const { messageIds } = buildCorpusRequest(FIRST!, 4_096, new AbortController().signal).prompt;

function scoreMemories(memories: { content: string; quote: string }[] | string) {
  const text =
    typeof memories === 'string'
      ? memories
      : JSON.stringify({
          schemaVersion: 'memory_llm_response_v1',
          memories: memories.map(({ content, quote }) => ({
            content,
            category: 'profile',
            evidence: [{ message_id: 'm1', quote }],
          })),
        });
  return scoreAnswer(FIRST!, { text, finishReason: 'stop' }, messageIds);
}

describe('scoreAnswer', () => {
  it('counts facts, grounded memories and mistakes', () => {
    const score = scoreMemories([
      { content: 'The user lives in Lisbon.', quote: 'I live in Lisbon' },
      { content: 'The user is a nurse in a computer.', quote: 'I am a nurse' },
    ]);
    expect(score).toEqual({
      unreadable: 0,
      repairs: 0,
      memories: 2,
      grounded: 1,
      facts: 3,
      foundFacts: 2,
      mistakes: 1,
    });
  });

  it('finds no fact in an answer that cannot be parsed', () => {
    expect(scoreMemories('I found nothing.')).toMatchObject({ unreadable: 1, foundFacts: 0, facts: 3 });
  });
});

describe('the corpus', () => {
  it('has English and German cases, whose facts occur in users’ messages', () => {
    expect(new Set(CORPUS.map(({ language }) => language))).toEqual(new Set(['en', 'de']));
    for (const { turns, facts, mistakes } of CORPUS) {
      const userTexts = turns.filter(({ role }) => role === 'user').map(({ content }) => content);
      for (const fact of facts)
        expect(userTexts.some((text) => fact.every((pattern) => pattern.test(text)))).toBe(true);
      for (const mistake of mistakes) expect(userTexts.some((text) => mistake.test(text))).toBe(false);
    }
  });
});
