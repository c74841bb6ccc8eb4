import { readChats } from './chat.ts';
import { toThirdPerson } from './to-third-person.ts';

describe('toThirdPerson', () => {
  it.each([
    ['What did I tell you about my loan?', "What did the user tell the assistant about the user's loan?"],
    ['How do I learn best, and what have we agreed?', 'How does the user learn best, and what has the user agreed?'],
    ["I'm allergic to what?", 'The user is allergic to what?'],
    ['Which of your ideas did you give me?', "Which of the assistant's ideas did the assistant give the user?"],
    ["Where do you say I've parked?", 'Where does the assistant say the user has parked?'],
  ])('%s', (question, expected) => {
    expect(toThirdPerson(question)).toBe(expected);
  });

  it('leaves no first person in a question of the development chats', () => {
    const left = readChats('development')
      .flatMap(({ questions }) => questions.map(({ first }) => toThirdPerson(first)))
      .filter((text) => /\b(?:I|me|my|mine|we|us|our|you|your)\b/u.test(text));
    expect(left).toEqual([]);
  });
});
