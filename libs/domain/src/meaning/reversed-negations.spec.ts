import { findReversedNegations } from './reversed-negations.js';

const find = (sources: string, text: string) =>
  findReversedNegations(sources.split('|'), text).map((fact) => fact.text);

describe('findReversedNegations', () => {
  it.each([
    ['I do not trust Bob.', 'The user trusts Bob.'],
    ['I do not mind delays.', 'The user minds delays.'],
    ['I eat no dairy.', 'The user eats dairy.'],
    ["I don't eat meat.", 'The user likes to eat meat.'],
    ['We never deploy on Fridays.', 'The team deploys on Fridays.'],
    ['I am no longer interested in chess.', 'The user is interested in chess.'],
    ['The update did not fix it.|My laptop crashes.', 'The update fixed the laptop.'],
    ['Tom cannot swim.', 'Tom can swim.'],
    ['I do not like surprises.', 'The user likes surprises.'],
    ['Lena does not answer. I asked twice.', 'The user is happy that Lena answers.'],
  ])('finds one of “%s” in “%s”', (sources, text) => {
    expect(find(sources, text)).toHaveLength(1);
  });

  it.each([
    ['I do not trust Bob.', 'The user does not trust Bob.'],
    ['I do not trust Bob.', 'The user has no trust in Bob.'],
    ['I do not trust Bob.', 'The user distrusts Bob.'],
    ['I do not trust Bob.', 'The user trusts Lena.'],
    ['I do not trust Bob.|I trust Bob again.', 'The user trusts Bob again.'],
    ['The restart did not help. A new cable helped.', 'A new cable helped.'],
    ['I do not eat meat. I eat fish.', 'The user eats fish.'],
    ['We never deploy on Fridays.', 'The team deploys on Mondays.'],
    ['I eat no dairy.', 'Mentions dairy again and again, on 3 days in May 2026.'],
    ['I like tea.', 'The user likes tea.'],
    ['', 'The user likes tea.'],
  ])('finds none of “%s” in “%s”', (sources, text) => {
    expect(find(sources, text)).toEqual([]);
  });
});
