import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import { composeProcedure, findProcedure, formatStep, MAX_STEP_LENGTH } from './procedure.js';

describe('formatStep', () => {
  it.each([
    ['1. run the tests', 'Run the tests.'],
    ['- First, you should always run the tests', 'Run the tests.'],
    ['Then we need to push the tag!', 'Push the tag!'],
    ['Step 3: Please open “Settings”', 'Open “Settings”.'],
    ['öffne das Fenster', 'Öffne das Fenster.'],
  ])('converts %j to an instruction', (said, step) => {
    expect(formatStep(said)).toBe(step);
  });

  it.each(['', ' 2. ', 'then', 'x'.repeat(MAX_STEP_LENGTH)])('returns null for %j', (said) => {
    expect(formatStep(said)).toBeNull();
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (said) => {
        const step = formatStep(said);
        if (step !== null) expect(formatStep(step)).toBe(step);
      }),
    );
  });
});

/** In UTF-16 units: more than twice the maximum length of a message. */
const LONG = 256_000;

describe('findProcedure', () => {
  it.each<[string, string, string[]]>([
    [
      'Please remember how to deploy the website:\n1. Run the tests\n2. Build the image\n3. Push the tag',
      'How to deploy the website',
      ['Run the tests.', 'Build the image.', 'Push the tag.'],
    ],
    [
      'Save these steps for onboarding a customer:\n- create the account\n- send the welcome mail\n\nThanks!',
      'Steps for onboarding a customer',
      ['Create the account.', 'Send the welcome mail.'],
    ],
    [
      'Can you remember how I make cold brew: first grind the beans, then add water; finally wait twelve hours.',
      'How to make cold brew',
      ['Grind the beans.', 'Add water.', 'Wait twelve hours.'],
    ],
    ['Note down the procedure: 1. open the valve 2. wait', 'Steps to remember', ['Open the valve.', 'Wait.']],
  ])('finds the procedure in %j', (content, title, steps) => {
    expect(findProcedure(content)).toMatchObject({ title, steps });
  });

  it.each([
    'I always forget how to deploy: 1. run 2. push',
    'Remember that I am vegan.',
    'How do I deploy the website? 1. run 2. push',
    'Remember how to smile: just do it',
    'My steps today:\n1. bought milk\n2. went home',
    'Do you remember how we met in Rome? Then we went to Naples.',
  ])('finds nothing in %j, which is no request', (content) => {
    expect(findProcedure(content)).toBeNull();
  });

  it('returns its position, so that nothing else is extracted from that text', () => {
    const content = 'Hi!\nRemember how to rest:\n1. lie down\n2. close the eyes\nI have a dog.';
    expect(findProcedure(content)).toMatchObject({
      quote: 'Remember how to rest',
      text: 'Remember how to rest:\n1. lie down\n2. close the eyes\n',
    });
  });

  it.each(['remember how to ', 'save steps for a', '1. then ', 'remember the the the ', '\n ', '. \n'])(
    'takes linear time on %j repeated',
    (piece) => {
      const find = (length: number) => findProcedure(''.padEnd(length, piece));
      expect(measureCpuGrowth(find, LONG)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );
});

describe('composeProcedure', () => {
  it('numbers the steps under the title', () => {
    expect(composeProcedure({ title: 'How to rest:', steps: ['Lie down.', 'Close the eyes.'] })).toBe(
      'How to rest:\n1. Lie down.\n2. Close the eyes.',
    );
  });
});
