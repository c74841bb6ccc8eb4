import { searchByBm25WithContext } from './baselines.ts';
import type { DatedMessage } from './data-set.ts';

const messages = [
  'Where do you keep the spare key for the boathouse?',
  'Under the third flower pot.',
  'Thanks, I will look on Saturday.',
  'The weather has been dreadful all week.',
].map((text, index): DatedMessage => ({ id: `M${index + 1}`, speaker: 'user', text, saidAt: index * 1_000 }));

describe('searchByBm25WithContext', () => {
  it('finds an answer by the words of the message before it', async () => {
    const search = await searchByBm25WithContext(messages);
    const found = await search('boathouse key');
    expect(found.map(({ id }) => id)).toEqual(['M1', 'M2']);
  });

  it('counts the words of a neighbour less than the words of the message', async () => {
    const search = await searchByBm25WithContext(messages);
    const [best] = await search('weather');
    expect(best?.id).toBe('M4');
  });
});
