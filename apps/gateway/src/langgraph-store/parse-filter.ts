import { type FieldError, MAX_JSON_DEPTH } from '@annals/contracts';
import { FILTER_OPERATORS, type FilterOperator, type ItemCondition } from '@annals/storage';

const MAX_CONDITIONS = 50;
const MAX_LISTED = 200;
/** Further ones are not looked for. */
const MAX_ERRORS = 20;
/** No value is nested deeper, and a longer path would be read again for each item. */
const MAX_STEPS = MAX_JSON_DEPTH + 1;

/** Names that are safe to repeat in an answer: another one could contain words of a person. */
const PLAIN_OPERATOR = /^\$\w{1,32}$/;
const PLAIN_NAME = /^[\w-]{1,64}$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The conditions that a filter of a search means (docs/reference/langgraph-store.md#filters), or the fields that are
 * wrong. `path`: of the filter in the request.
 */
export function parseFilter(
  filter: Readonly<Record<string, unknown>>,
  path: string,
): { readonly conditions: readonly ItemCondition[]; readonly errors: readonly FieldError[] } {
  const parser = new FilterParser();
  parser.readFields(filter, [], path);
  if (parser.conditions.length > MAX_CONDITIONS)
    parser.errors.push({ path, message: `Send at most ${MAX_CONDITIONS} conditions.` });
  return parser;
}

class FilterParser {
  readonly conditions: ItemCondition[] = [];
  readonly errors: FieldError[] = [];

  /** Recursion is bounded: the schema of the request refuses what is nested too deep. */
  readFields(fields: Readonly<Record<string, unknown>>, above: readonly string[], path: string): void {
    for (const [name, wanted] of Object.entries(fields)) {
      if (this.conditions.length > MAX_CONDITIONS || this.errors.length >= MAX_ERRORS) return;
      const names = [...above, name];
      const at = PLAIN_NAME.test(name) ? `${path}.${name}` : path;
      if (names.flatMap((part) => part.split('.', MAX_STEPS + 1)).length > MAX_STEPS)
        this.errors.push({ path, message: `Name a field by at most ${MAX_STEPS} names and periods.` });
      else if (name.startsWith('$')) this.errors.push({ path, message: explainMisplaced(name) });
      else if (!isObject(wanted) || Object.keys(wanted).length === 0) this.add(names, '$eq', wanted);
      else if (Object.keys(wanted).some((key) => key.startsWith('$'))) this.readOperators(wanted, names, at);
      else this.readFields(wanted, names, at);
    }
  }

  private readOperators(operands: Readonly<Record<string, unknown>>, names: readonly string[], path: string): void {
    for (const [operator, operand] of Object.entries(operands)) {
      if (!isOperator(operator)) {
        this.errors.push({ path, message: explainUnknown(operator) });
        continue;
      }
      const message = explainOperand(operator, operand);
      if (message !== null) this.errors.push({ path, message });
      else this.add(names, operator, operand);
    }
  }

  private add(names: readonly string[], operator: FilterOperator, operand: unknown): void {
    this.conditions.push({ names, steps: names.flatMap((name) => name.split('.')), operator, operand });
  }
}

function isOperator(text: string): text is FilterOperator {
  return (FILTER_OPERATORS as readonly string[]).includes(text);
}

function explainUnknown(operator: string): string {
  const known = `Use one of: ${FILTER_OPERATORS.join(', ')}.`;
  if (PLAIN_OPERATOR.test(operator)) return `The operator ${operator} is unknown. ${known}`;
  return `An object of operators has another field beside them. ${known}`;
}

function explainMisplaced(name: string): string {
  const shown = PLAIN_OPERATOR.test(name) ? name : 'An operator';
  return `${shown} belongs below the name of a field, as in {"price": {"$lt": 5}}.`;
}

function explainOperand(operator: FilterOperator, operand: unknown): string | null {
  switch (operator) {
    case '$in':
    case '$nin':
      return Array.isArray(operand) && operand.length <= MAX_LISTED
        ? null
        : `Send a list of at most ${MAX_LISTED} values for ${operator}.`;
    case '$exists':
      return typeof operand === 'boolean' ? null : 'Send true or false for $exists.';
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return typeof operand === 'number' || typeof operand === 'string'
        ? null
        : `Send a number or a text for ${operator}.`;
    default:
      return null;
  }
}
