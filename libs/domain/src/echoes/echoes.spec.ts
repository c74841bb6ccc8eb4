import { runAtOnce } from '../text/sliced.js';
import { LATE_NO_ECHOES, SUBJECT_ECHOES, SUBJECT_NO_ECHOES } from './echo-look-alikes.fixture.js';
import { type EchoPair, ECHOES, HELD_OUT_ECHOES, HELD_OUT_NO_ECHOES, NO_ECHOES } from './echo-pairs.fixture.js';
import { findEchoes } from './find-echo.js';
import { readRest, type ReplacedStatement } from './read-rest.js';
import { readStatement } from './read-statement.js';
import { readTurn, type TurnSpeaker } from './read-turn.js';

const restOf = (
  content: string,
  replaced: readonly ReplacedStatement[],
  holdingQuotes: readonly string[] = [],
  speaker: TurnSpeaker = { is: 'user' },
) => runAtOnce(readRest(runAtOnce(readTurn(content, speaker)), replaced, holdingQuotes));
const shareOf = (memory: string, content: string, speaker: TurnSpeaker) =>
  restOf(content, [{ content: memory }], [], speaker).share;
const isEcho = ({ memory, role, turn }: EchoPair) => shareOf(memory, turn, { is: role }) > 0;
const LISBON = 'The user lives in Lisbon.';

describe('findEchoes', () => {
  it('finds the turns that say what a memory says, and none of the look-alikes', () => {
    expect(ECHOES.length + NO_ECHOES.length).toBeGreaterThanOrEqual(120);
    expect(ECHOES.filter((pair) => !isEcho(pair))).toEqual([]);
    expect(NO_ECHOES.filter(isEcho)).toEqual([]);
  });

  it('finds at least 70 % of pairs it was not written for, and none of their look-alikes', () => {
    expect(HELD_OUT_ECHOES.filter(isEcho).length / HELD_OUT_ECHOES.length).toBeGreaterThanOrEqual(0.7);
    expect(HELD_OUT_NO_ECHOES.filter(isEcho)).toEqual([]);
  });

  it('does not take the same words about something else, or about the past, for an echo', () => {
    expect(SUBJECT_ECHOES.filter((pair) => !isEcho(pair))).toEqual([]);
    expect(SUBJECT_NO_ECHOES.filter(isEcho)).toEqual([]);
    // Prepositions are not compared.
    expect(LATE_NO_ECHOES.filter(isEcho).map(({ turn }) => turn)).toEqual([
      'I live for Lisbon.',
      'I work with Zeiss lenses.',
    ]);
  });

  it('says how much of a turn repeats the memory', () => {
    expect(shareOf(LISBON, 'You live in Lisbon.', { is: 'assistant' })).toBe(1);
    expect(shareOf(LISBON, 'You live in Lisbon. Try the tram, the castle and a pastry.', { is: 'assistant' })).toBe(
      1 / 3,
    );
    expect(shareOf(LISBON, 'Try the tram.', { is: 'assistant' })).toBe(0);
  });

  it('reads "I" and "you" by who speaks', () => {
    const named = 'Ana lives in Lisbon.';
    expect(shareOf(LISBON, 'I live in Lisbon.', { is: 'other', name: 'ana' })).toBe(0);
    expect(shareOf(named, 'I live in Lisbon.', { is: 'other', name: 'ana' })).toBe(1);
    expect(shareOf(named, 'I live in Lisbon.', { is: 'other', name: 'ben' })).toBe(0);
    expect(shareOf(named, 'I live in Lisbon.', { is: 'user' })).toBe(0);
    expect(shareOf(LISBON, 'I live in Lisbon.', { is: 'assistant' })).toBe(0);
  });

  it('does not take the end of something for its repetition, nor the other way round', () => {
    expect(shareOf(LISBON, 'I no longer live in Lisbon.', { is: 'user' })).toBe(0);
    expect(shareOf('The user no longer lives in Lisbon.', 'I live in Lisbon.', { is: 'user' })).toBe(0);
    expect(shareOf('The user no longer lives in Lisbon.', "I don't live in Lisbon.", { is: 'user' })).toBeGreaterThan(
      0,
    );
  });

  it.each(['The user is there.', 'Yes.', ''])('cannot recognise a repetition of %j', (content) => {
    expect(readStatement(content)).toBeNull();
  });

  it('yields while it compares a long turn with many statements that it repeats', () => {
    let compared = 0;
    const lisbon = readStatement(LISBON)!;
    const statements = Array.from({ length: 500 }, () => ({
      ...lisbon,
      get isNegated() {
        compared += 1;
        return false;
      },
    }));
    const turn = runAtOnce(readTurn('I live in Lisbon. '.repeat(4), { is: 'user' }));
    const work = findEchoes(turn, statements);
    const ofSlices: number[] = [];
    let step = work.next();
    while (true) {
      ofSlices.push(compared);
      compared = 0;
      if (step.done) break;
      step = work.next();
    }
    expect(step.value).toHaveLength(500);
    expect(ofSlices.reduce((sum, count) => sum + count, 0)).toBe(4 * 500);
    expect(Math.max(...ofSlices)).toBeLessThanOrEqual(64);
  });

  it('looks up a word once in a sentence, however often it occurs there', () => {
    const turn = runAtOnce(readTurn('Lisbon live '.repeat(1_000), { is: 'user' }));
    expect([...turn.sentences[0]!.positions.values()].map(({ length }) => length)).toEqual([16, 16]);
  });
});

describe('readRest', () => {
  const EMPLOYER = "The user's employer is Carl Zeiss AG.";
  const CHESS = 'I play chess.';

  it('returns the sentences that do not repeat what was replaced', () => {
    const rest = restOf('Hello! You live in Lisbon. Try the tram.', [{ content: LISBON }], [], { is: 'assistant' });
    expect(rest).toMatchObject({ rest: 'Hello! Try the tram.', isMixed: false });
  });

  it('knows what was replaced by its quote where the words of the memory are others', () => {
    const replaced = [{ content: EMPLOYER, quote: 'work at  Zeiss' }];
    expect(restOf(`I work at Zeiss. ${CHESS}`, replaced, [CHESS])).toMatchObject({ rest: CHESS, isMixed: false });
    // In a language whose sentences no rule compares.
    const lisbon = [{ content: LISBON, quote: 'Ich wohne in Lissabon' }];
    const content = 'Ich wohne in Lissabon. Ich spiele Schach.';
    expect(restOf(content, lisbon)).toMatchObject({ rest: 'Ich spiele Schach.', isMixed: false });
  });

  it.each([
    ['its words are in no sentence', `I work at Zeiss. ${CHESS}`, { content: EMPLOYER }],
    ['it quotes more than a sentence', `I work at Zeiss. ${CHESS}`, { content: EMPLOYER, quote: `at Zeiss. ${CHESS}` }],
    ['a sentence says both', 'I work at Zeiss and I play chess.', { content: EMPLOYER, quote: 'I work at Zeiss' }],
    ['a sentence repeats it and says more', 'I live in Lisbon and I play chess.', { content: LISBON }],
  ])('returns everything, as mixed, when %s', (_case, content, replaced) => {
    expect(restOf(content, [replaced], ['I play chess'])).toMatchObject({ rest: content, isMixed: true });
  });

  it('leaves out what it can tell of several', () => {
    const replaced = [{ content: EMPLOYER }, { content: LISBON }];
    const rest = restOf(`I live in Lisbon. I work at Zeiss. ${CHESS}`, replaced);
    expect(rest).toMatchObject({ rest: `I work at Zeiss. ${CHESS}`, isMixed: true });
  });

  it('keeps the sentences of a quote that spans several', () => {
    const content = `I live in Lisbon. ${CHESS}`;
    expect(restOf(content, [{ content: LISBON }], [content])).toMatchObject({ rest: content, isMixed: true });
  });
});
