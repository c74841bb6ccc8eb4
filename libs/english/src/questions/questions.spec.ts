import { measureCpuGrowth, MAX_LINEAR_GROWTH } from '@annals/testing';
import { readAskedRole } from './read-asked-role.js';
import { resolvePersons } from './resolve-persons.js';

describe('resolvePersons', () => {
  it.each([
    ['Where does the user live?', 'Where does I live?'],
    ["What is the user's budget?", 'What is my budget?'],
    ['What is the user’s budget?', 'What is my budget?'],
    ['Does this user like their new job, and who told them?', 'Does I like my new job, and who told me?'],
    ['When did the user say they moved?', 'When did I say I moved?'],
    ["What was the assistant's advice to the user?", 'What was your advice to I?'],
    ['What did the AI assistant recommend?', 'What did you recommend?'],
    ['What did the user name their dog?', 'What did I name my dog?'],
    ["Who sits at the user's table?", 'Who sits at my table?'],
  ])('%s', (question, expected) => {
    expect(resolvePersons(question)).toBe(expected);
  });

  it.each([
    'What did Ana say about their trip?',
    'Which framework did I choose for the user interface?',
    'Where is the user’s guide?',
    'How many users signed up?',
    'Who is the assistant manager at my shop?',
  ])('leaves %j as it is', (question) => {
    expect(resolvePersons(question)).toBe(question);
  });
});

describe('readAskedRole', () => {
  it.each([
    'What did you suggest for Friday?',
    'What have you told me about visas?',
    'Which hotel had you recommended?',
    'Which books have you recommended to me?',
    'Remind me what you said about the loan.',
    'You told me a trick for onions. How did it go?',
    "What was the name you'd given the script?",
    'What was your advice on my knee?',
    'What are my options, according to you?',
    'How was I told to prune the roses?',
    'I was given a schedule for my race. What was in it?',
    'Which dishes were suggested to me?',
    'Which plan did I get from you?',
    'What did the physiotherapist say, and what did you answer?',
  ])('reads that %j is about what the assistant said', (question) => {
    expect(readAskedRole(question)).toBe('assistant');
  });

  it.each([
    'What is my name?',
    'What did I tell you about my dog?',
    'Which foods did I tell you I avoid?',
    'What did my physiotherapist tell me to avoid?',
    'What do you know about my pets?',
    'Can you suggest a restaurant for our anniversary?',
    'Could you recommend a show for tonight?',
    'Would you write a toast for my sister?',
    'How long should your answers to me be?',
    'How should a price be explained to me?',
    'When did I get the keys?',
    'What should I remember about my sister?',
  ])('reads that %j is about what the user said', (question) => {
    expect(readAskedRole(question)).toBe('user');
  });

  it.each([
    'Where is the key?',
    'When did Ana move?',
    'How often should I replace my running shoes?',
    'What did I hear?',
  ])('reads nobody in %j', (question) => {
    expect(readAskedRole(question)).toBeNull();
  });

  it('takes time in proportion to the length of a question', () => {
    const text = 'you have your told did I the user the assistant told to should I ';
    const work = (count: number) => readAskedRole(resolvePersons(text.repeat(count)));
    expect(measureCpuGrowth(work, 1_000)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
