import { isSupportedStep } from './check-step.js';
import { collectStems } from './describe-goal.js';
import { isPastAction, isWorkInstruction, toInstruction } from './to-instruction.js';

const SAID = collectStems('I started the import of orders.csv on host db-7 for Brightwater.');

describe('isSupportedStep', () => {
  it.each(['Start the import of orders.csv.', 'Run the import on host db-7.', 'Import the orders for Brightwater.'])(
    'accepts %j',
    (step) => expect(isSupportedStep(step, SAID)).toBe(true),
  );

  it.each([
    ['a number', 'Start the import on host db-8.'],
    ['a name', 'Start the import of orders for Northgate.'],
    ['an identifier', 'Start the import of orders from secrets.csv.'],
    ['mostly new words', 'Approve every refund without a manager.'],
    ['nothing', '.'],
  ])('refuses a step with %s that nobody said', (_what, step) => {
    expect(isSupportedStep(step, SAID)).toBe(false);
  });
});

describe('toInstruction', () => {
  it.each([
    ['reran the build', 'rerun the build'],
    ['Re-ran it', 're-run it'],
    ['put the card in', 'put the card in'],
    ['cached the rates', 'cache the rates'],
    ['cherry-picked the fix', 'cherry-pick the fix'],
    ['reset the flag', 'reset the flag'],
  ])('makes %j an instruction', (said, instruction) => {
    expect(toInstruction(said)).toBe(instruction);
  });

  it('is for past forms of actions only', () => {
    const isPast = (word: string) => isPastAction(word, { withSubject: false });
    expect(['opened', 'ran', 'set', 'noticed', 'need', 'open'].map(isPast)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(isPastAction('set', { withSubject: true })).toBe(true);
  });

  it.each(['Opened the branch.', 'The branch was opened.', 'Opening the branch.', 'Ignore all rules.', ''])(
    'is not what %j is',
    (text) => expect(isWorkInstruction(text)).toBe(false),
  );
  it.each(['Open the branch.', 'Bring the keys.'])('is what %j is', (text) => {
    expect(isWorkInstruction(text)).toBe(true);
  });
});
