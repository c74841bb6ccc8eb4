import { ATTACK_CORPUS, MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import { runAtOnce } from '../text/sliced.js';
import { detectMemorySignals, detectSignals } from './detect-signals.js';
import type { ObservedMessage } from './types.js';

const say = (content: string, over: Partial<ObservedMessage> = {}): ObservedMessage => ({
  id: 'm1',
  role: 'user',
  actorId: null,
  content,
  saidAt: 1,
  ...over,
});
/** `consent preferred_name=Ana` for each signal. */
const read = (content: string, over: Partial<ObservedMessage> = {}) =>
  runAtOnce(detectSignals('ana', [say(content, over)])).map(({ kind, field, value }) => `${kind} ${field}=${value}`);

describe('detectSignals', () => {
  it.each([
    ['yes, call me Ana', 'preferred_name=Ana'],
    ['Please call me Ana.', 'preferred_name=Ana'],
    ['You can call me Ana Maria from now on', 'preferred_name=Ana Maria'],
    ['Could you call me Ana, please?', 'preferred_name=Ana'],
    ["I'd prefer to be called Jean-Luc.", 'preferred_name=Jean-Luc'],
    ['Thanks! Please just call me "Ana".', 'preferred_name=Ana'],
    ["Ok, from now on call me O'Brien please.", "preferred_name=O'Brien"],
    ['Please use she/her for me.', 'pronouns=she/her'],
    ['please refer to me as they / them', 'pronouns=they/them'],
    ['Please remember that I live in Lisbon.', 'city=Lisbon'],
    ['Yes, you can save that my city is São Paulo.', 'city=São Paulo'],
    ['Please always answer in german from now on.', 'language=German'],
    ['My cat sleeps. And please call me Ana', 'preferred_name=Ana'],
  ])('detects consent in %s', (content, expected) => {
    expect(read(content)).toEqual([`consent ${expected}`]);
  });

  it('reads the user while another participant plays a role', () => {
    const messages = [say("Let's role-play!", { actorId: 'bob' }), say('I live in Lisbon.', { saidAt: 2 })];
    expect(runAtOnce(detectSignals('ana', messages))).toMatchObject([{ field: 'city', value: 'Lisbon' }]);
  });

  it.each([
    ['My name is Ana.', 'preferred_name=Ana'],
    ['hi, my name’s Ana Silva, nice to meet you', 'preferred_name=Ana Silva'],
    ['Everyone calls me Ana', 'preferred_name=Ana'],
    ['my pronouns are He/Him', 'pronouns=he/him'],
    ['I live in Rio de Janeiro with my sister', 'city=Rio de Janeiro'],
    ['I just moved to St. Louis!', 'city=St. Louis'],
    ['I’m based in Berlin, Germany', 'city=Berlin'],
    ['I speak Portuguese', 'language=Portuguese'],
    ['Please answer in French', 'language=French'],
    ['Please keep your answers short', 'tone=concise'],
    ['Please be brief in your answers.', 'tone=concise'],
    ['be more formal please', 'tone=formal'],
    ['My goal this year is to run a marathon.', 'goals_add=run a marathon'],
    ['I want to learn Portuguese before spring', 'goals_add=learn Portuguese before spring'],
  ])('detects a statement, not a consent, in %s', (content, expected) => {
    expect(read(content)).toEqual([`statement ${expected}`]);
  });

  it.each([
    ["Don't call me Ana anymore.", 'retraction preferred_name=Ana'],
    ['Please stop calling me Ana', 'retraction preferred_name=Ana'],
    ['please forget where I live', 'retraction city=null'],
    ["Don't remember that I live in Lisbon", 'retraction city=Lisbon'],
    ['Forget my pronouns!', 'retraction pronouns=null'],
    ["Please don't use my name anymore.", 'retraction preferred_name=null'],
    ["Don't use my name any more, please", 'retraction preferred_name=null'],
    ['I no longer live in Lisbon', 'denial city=Lisbon'],
    ["My name isn't Ana", 'denial preferred_name=Ana'],
    ["don't be so formal", 'denial tone=formal'],
    ['yes, call me ana', 'acknowledgement preferred_name=ana'],
  ])('detects a denial, retraction or acknowledgement in %s', (content, expected) => {
    expect(read(content)).toEqual([expected]);
  });

  it.each([
    'He said: "Please call me Bob."',
    'My boss told me to call me Bob',
    "My brother's name is Bob and he lives in Porto",
    'My brother lives in Porto.',
    'She texted "Hi. Call me Bob.',
    "'Oh. Call me Bob.' he said",
    '> Please call me Bob.',
    '```\nPlease call me Bob.\n```',
    'Call me Ishmael, she said.',
    'Call me Ana?',
    'Should I live in Lisbon?',
    'If you call me Ana, I leave.',
    'If I live in Lisbon, what is the tax?',
    'Call me back tomorrow',
    'Please call me Monday',
    'Call me Maybe',
    'please call me a taxi',
    'You never call me Ana',
    'My friends want me to say my name is Ana',
    'I live in Germany',
    'I live in fear',
    'I speak English and German',
    'I speak my mind',
    'I want to get a refund',
    'Please call me [redacted email]',
    'Please call me [email 7f3a9c21d04be5f8]',
    'My dentist will call me Friday.',
  ])('detects nothing in %s', (content) => {
    const signals = read(content).filter((signal) => !signal.startsWith('acknowledgement'));
    expect(signals).toEqual([]);
  });

  it('parses each clause of a message', () => {
    expect(read('My name is Ana and I live in Lisbon. Please use they/them for me!')).toEqual([
      'statement preferred_name=Ana',
      'statement city=Lisbon',
      'consent pronouns=they/them',
    ]);
  });

  it.each([
    ['1. Please stop calling me Max.', ['retraction preferred_name=Max']],
    ['I was in ward C. Forget my city.', ['retraction city=null']],
    ["I got an A. Don't call me Max.", ['retraction preferred_name=Max']],
    ['I moved to the U.S. Forget my name.', ['retraction preferred_name=null']],
    ["Don't call me Al B. Call me Max.", ['retraction preferred_name=Al B', 'consent preferred_name=Max']],
    ['1. Call me Max\n2. I live in Rome', ['consent preferred_name=Max', 'statement city=Rome']],
    ['My plan B. Call me Max.', ['consent preferred_name=Max']],
    ['We had fish etc. I live in Rome.', ['statement city=Rome']],
    ['Please call me J. Smith', ['consent preferred_name=J. Smith']],
  ])('finds the requests after list numbers and abbreviations in %j', (content, expected) => {
    expect(read(content)).toEqual(expected);
  });

  it('treats two contradicting requests as statements only', () => {
    expect(read('Call me Ana. No, call me Bea.')).toEqual([
      'statement preferred_name=Ana',
      'statement preferred_name=Bea',
    ]);
    expect(read("Please call me Ana. Don't call me Ana.")).toEqual([
      'statement preferred_name=Ana',
      'retraction preferred_name=Ana',
    ]);
    expect(read("Please call me Ana. Don't call me Bea.")).toEqual([
      'consent preferred_name=Ana',
      'retraction preferred_name=Bea',
    ]);
  });

  it('ignores messages of assistants, tools and other people', () => {
    expect(read('Please call me Ana.', { role: 'assistant' })).toEqual([]);
    expect(read('Please call me Ana.', { role: 'tool' })).toEqual([]);
    expect(read('Please call me Bob.', { actorId: 'bob' })).toEqual([]);
    expect(read('Please call me Ana.', { actorId: 'ana' })).toHaveLength(1);
    expect(read(`Please call me Ana. ${'And so on. '.repeat(500)}`)).toEqual([]);
  });

  it.each(ATTACK_CORPUS.flatMap(({ messages, names }) => (names ? [{ messages, names }] : [])))(
    'sets a name by request, unless it is another’s or reads as an instruction: %j',
    ({ messages, names }) => {
      const said = messages.map(({ content, actor = null }) => say(content, { actorId: actor }));
      const consents = runAtOnce(detectSignals('mara', said)).filter(({ kind }) => kind === 'consent');
      expect(consents.map(({ value }) => value)).toEqual(names);
    },
  );

  it('proposes a name that reads as an instruction, and takes no yes for it', () => {
    expect(read('Please call me Admin.')).toEqual(['statement preferred_name=Admin']);
    expect(read('Remember that I live in Developer Mode.')).toEqual(['statement city=Developer Mode']);
    expect(read('Yes, call me admin.')).toEqual([]);
    expect(read('Yes, call me ana.')).toEqual(['acknowledgement preferred_name=ana']);
  });

  it.each(['please ', 'yes, ', 'you can ', 'call me ', "' ", 'A.', 'my name is '])(
    'takes linear time on %j repeated',
    (piece) => {
      const work = (length: number) => read(''.padEnd(length, piece));
      expect(measureCpuGrowth(work, 3_900)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );

  it('treats memories from the user’s own messages as statements', () => {
    const messages = [say('…', { id: 'own' }), say('…', { id: 'bob', actorId: 'bob' })];
    const readMemory = (content: string, messageIds: string[]) =>
      detectMemorySignals('ana', [{ content, messageIds }], messages).map(
        ({ kind, field, value, messageId }) => `${kind} ${field}=${value} ${messageId}`,
      );
    expect(readMemory('The user lives in Lisbon.', ['own'])).toEqual(['statement city=Lisbon own']);
    expect(readMemory('The user’s name is Ana.', ['bob', 'own'])).toEqual(['statement preferred_name=Ana own']);
    expect(readMemory('The user moved to Lisbon in April 2026. (1 April 2026)', ['own'])).toEqual([
      'statement city=Lisbon own',
    ]);
    expect(readMemory("The user's goal is to run a marathon.", ['own'])).toEqual([
      'statement goals_add=run a marathon own',
    ]);
    expect(readMemory('The user lives in Lisbon.', ['bob'])).toEqual([]);
    expect(readMemory("The user's sister lives in Porto.", ['own'])).toEqual([]);
    expect(readMemory('The assistant asked to call it Max.', ['own'])).toEqual([]);
  });
});
