import { splitCompound } from './split-compound.js';

describe('splitCompound', () => {
  it.each<[string, string[]]>([
    ['I work at Zeiss and play chess', ['I work at Zeiss', 'I play chess']],
    ['I am allergic to peanuts and shellfish', ['I am allergic to peanuts', 'I am allergic to shellfish']],
    ['I have a dog and a cat', ['I have a dog', 'I have a cat']],
    ['I smoke and drink wine', ['I smoke', 'I drink wine']],
    ['My sister lives in Boston and works for a museum', ['My sister lives in Boston', 'My sister works for a museum']],
    ['The user works at Zeiss and plays chess', ['The user works at Zeiss', 'The user plays chess']],
    ['Ana plays chess and tennis', ['Ana plays chess', 'Ana plays tennis']],
    ['Ana lives in Porto, and works at Zeiss', ['Ana lives in Porto', 'Ana works at Zeiss']],
    ['I speak French and German', ['I speak French', 'I speak German']],
    ['Ana is learning French and German', ['Ana is learning French', 'Ana is learning German']],
    [
      'Another participant (U0423) lives in Bonn and plays chess',
      ['Another participant (U0423) lives in Bonn', 'Another participant (U0423) plays chess'],
    ],
    [
      'Another participant (U0423) plays chess and tennis',
      ['Another participant (U0423) plays chess', 'Another participant (U0423) plays tennis'],
    ],
    ['I live in Bern and work in Basel and play chess', ['I live in Bern', 'I work in Basel', 'I play chess']],
  ])('divides %s', (clause, parts) => {
    expect(splitCompound(clause)).toEqual(parts);
  });

  it.each([
    'I cook and bake every day',
    'I like mac and cheese',
    'I like rock and roll',
    'I want to buy a house and have kids',
    'I live with my girlfriend and take care of her dog',
    'I have a dog and cats',
    'I have a friend who lives in Bonn and plays chess',
    'I hope that we can live in Rome and work in peace',
    'I went to Rome and saw the Colosseum',
    'My sister and I play chess',
    'The user and others play chess',
    'The server runs Linux and has two disks',
    'I love hiking in the hills and the sea',
    'The user has a sister Mia. Mia lives in Bonn and plays chess',
    'The user has a sister Mia; Mia lives in Bonn and plays chess',
    'The user plays Dungeons and Dragons',
    'I love Tom and Jerry',
    'The user likes Simon and Garfunkel',
    'The user loves cookies and cream',
  ])('leaves %s whole', (clause) => {
    expect(splitCompound(clause)).toEqual([clause]);
  });
});
