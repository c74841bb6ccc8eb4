import { type FieldError, type LangGraphStoreOperation, ProblemError } from '@annals/contracts';
import type { ItemCondition } from '@annals/storage';
import { invalidFields } from '../http/parse-input.js';
import { parseFilter } from './parse-filter.js';
import { listWords, measureStored } from './indexed-texts.js';
import type { BatchVectors } from './store-vectors.js';

/** So that every item that can be stored can be read, also with others. */
const MAX_ITEM_BYTES = 1_000_000;

/** A value that is put: as JSON, and what it says, for search by words. */
interface ParsedValue {
  readonly json: string;
  readonly words: string;
}

/** What the operations of a batch mean, by their place. */
export interface ParsedOperations {
  readonly conditions: ReadonlyMap<number, readonly ItemCondition[]>;
  readonly values: ReadonlyMap<number, ParsedValue>;
}

/** A batch that can be run: of one user, with its vectors. */
export interface StoreBatch extends ParsedOperations {
  readonly userId: string;
  readonly vectors: BatchVectors;
}

/** Throws `validation_failed` for filters that mean nothing, and `item_too_large`. */
export function parseOperations(operations: readonly LangGraphStoreOperation[]): ParsedOperations {
  const conditions = new Map<number, readonly ItemCondition[]>();
  const values = new Map<number, ParsedValue>();
  const errors: FieldError[] = [];
  for (const [place, operation] of operations.entries()) {
    const path = `body.operations[${place}]`;
    if (operation.op === 'put') {
      const { value } = operation;
      values.set(place, { json: renderValue(value, path), words: listWords(value) });
    }
    if (operation.op !== 'search' || operation.filter === undefined) continue;
    const parsed = parseFilter(operation.filter, `${path}.filter`);
    conditions.set(place, parsed.conditions);
    errors.push(...parsed.errors);
  }
  if (errors.length > 0) throw invalidFields(errors);
  return { conditions, values };
}

function renderValue(value: object, path: string): string {
  const text = JSON.stringify(value);
  const bytes = measureStored(value, text);
  if (bytes <= MAX_ITEM_BYTES) return text;
  const message = `The value is ${bytes} bytes of JSON without exponents, and the maximum is ${MAX_ITEM_BYTES}: store less in it.`;
  throw new ProblemError('item_too_large', `${path}.value: ${message}`, {
    errors: [{ path: `${path}.value`, message }],
  });
}
