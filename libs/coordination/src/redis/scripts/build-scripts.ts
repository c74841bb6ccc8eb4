import { BUDGET_STEPS, BUDGET_STEPS_OF_CALLS } from './budget-scripts.js';
import { CIRCUIT_STEPS } from './circuit-scripts.js';
import { RATE_STEPS } from './rate-scripts.js';

/**
 * Every step of the coordination as a chunk of Lua over KEYS and ARGV. Alone it is a script of its own; `inOrder` has
 * the steps of a call as functions. A step that can be refused returns whether it was, and a function that gives back
 * what it reserved.
 */
const STEPS = { ...CIRCUIT_STEPS, ...RATE_STEPS, ...BUDGET_STEPS };
export type ScriptStepName = keyof typeof STEPS;

/** The steps of which a call is admitted and closed. */
const STEPS_OF_CALLS = { ...CIRCUIT_STEPS, ...RATE_STEPS, ...BUDGET_STEPS_OF_CALLS };

/**
 * Runs several steps in order until one refuses; then those before it give back what they reserved, in reverse order.
 * ARGV: for each step its name, the number of its keys and of its arguments, and the arguments; KEYS: their keys in the
 * same order. Returns the answers of the steps that ran.
 */
const IN_ORDER = `
local steps = {}
${Object.entries(STEPS_OF_CALLS)
  .map(([name, lua]) => `steps.${name} = function(KEYS, ARGV)\n${lua}\nend`)
  .join('\n')}
local answers, undo, key, argument = {}, {}, 1, 1
while argument <= #ARGV do
  local name, keys, arguments = ARGV[argument], tonumber(ARGV[argument + 1]), tonumber(ARGV[argument + 2])
  local first = argument + 3
  local answer, refused, giveBack = steps[name]({ unpack(KEYS, key, key + keys - 1) },
    { unpack(ARGV, first, first + arguments - 1) })
  answers[#answers + 1] = answer
  if refused then
    for index = #undo, 1, -1 do undo[index]() end
    break
  end
  undo[#undo + 1] = giveBack
  key, argument = key + keys, first + arguments
end
return answers
`;

/** The scripts by name. */
export const SCRIPTS = { ...STEPS, inOrder: IN_ORDER };
