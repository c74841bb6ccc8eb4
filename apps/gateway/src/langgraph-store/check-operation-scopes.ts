import type { LangGraphStoreOperation } from '@annals/contracts';
import { hasScope, type Principal } from '../auth/principal.js';
import { invalidFields } from '../http/parse-input.js';
import { isWrite } from './plan-steps.js';

/** Throws `forbidden_scope`, naming the operations, unless the key may do all of them: all or none are carried out. */
export function checkOperationScopes(operations: readonly LangGraphStoreOperation[], caller: Principal): void {
  const errors = operations.flatMap((operation, place) => {
    const needed = isWrite(operation) ? 'ingest' : 'query';
    if (hasScope(caller, needed)) return [];
    return [{ path: `body.operations[${place}]`, message: `Use a key with the scope ${needed} for ${operation.op}.` }];
  });
  if (errors.length > 0) throw invalidFields(errors, 'forbidden_scope');
}
