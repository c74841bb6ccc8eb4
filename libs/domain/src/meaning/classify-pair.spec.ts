import { classifyPair, type PairClassification } from './classify-pair.js';

const BANDS = { auto: 0.95, check: 0.8, fallback: 0.6, link: 0.4 };
const classify = (a: string, b: string, cosine: number, type = 'semantic'): PairClassification =>
  classifyPair({ content: a, type: 'semantic' }, { content: b, type }, cosine, BANDS);

describe('classifyPair', () => {
  it.each<[number, string, string, PairClassification]>([
    [0.97, 'The user has a golden retriever.', 'The user owns a golden retriever.', 'same'],
    [0.97, 'The meeting is on 3 May.', 'The meeting is on 4 May.', 'undecided'],
    [0.97, 'The user met Anna in Rome.', 'The user met Clara in Rome.', 'undecided'],
    [0.97, 'The user ate meat in Rome.', 'The user did not eat meat in Rome.', 'undecided'],
    [0.97, 'The user eats meat.', 'The user does not eat meat.', 'apart'],
    [0.99, 'The user sold the car for $4,500.', 'The user sold the car for €4,500.', 'undecided'],
    [0.99, 'Mr. Duarte has the spare key.', 'Mrs. Duarte has the spare key.', 'undecided'],
    [0.85, 'The user has a golden retriever.', 'The user owns a golden retriever.', 'undecided'],
    [0.85, 'The user likes jazz.', 'The user really likes jazz a lot.', 'same'],
    [0.65, 'The user likes jazz.', 'The user really likes jazz a lot.', 'same'],
    [0.65, 'The user has a golden retriever.', 'The user owns a golden retriever.', 'related'],
    [0.45, 'The user likes jazz.', 'The user really likes jazz a lot.', 'related'],
    [0.3, 'The user likes jazz.', 'The user plays the piano.', 'apart'],
    [0.9, 'The user lives in Berlin.', 'The user lives in Munich.', 'apart'],
    [0.99, 'The user prefers tea over coffee.', 'The user prefers coffee over tea.', 'undecided'],
  ])('at cosine %d classifies “%s” and “%s” as %s', (cosine, a, b, verdict) => {
    expect(classify(a, b, cosine)).toBe(verdict);
  });

  it('leaves statements that differ only in type to a model', () => {
    expect(classify('The user runs marathons.', 'The user runs marathons.', 0.99, 'episodic')).toBe('undecided');
  });

  it.each([0.99, 0.45])('never relates a procedure to a fact, at cosine %d', (cosine) => {
    expect(classify('The user publishes releases.', 'The user publishes releases.', cosine, 'procedural')).toBe(
      'apart',
    );
  });

  it('keeps procedures with different steps apart, whatever their cosine', () => {
    const [a, b] = ['How to rest:\n1. Lie down.', 'How to rest:\n1. Sit down.'];
    const procedure = (content: string) => ({ content, type: 'procedural' });
    expect(classifyPair(procedure(a), procedure(b), 0.99, BANDS)).toBe('apart');
    expect(classifyPair(procedure(a), procedure(a), 0.99, BANDS)).toBe('same');
  });
});
