import type { LangGraphStoreOperation } from '@annals/contracts';
import { hasScope, type Principal } from '../auth/principal.js';
import { invalidFields } from '../http/parse-input.js';

/** Throws `forbidden_scope`, naming the operations, unless the key may do all of them: all or none are carried out. */
export function checkOperationScopes(operations: readonly LangGraphStoreOperation[], caller: Principal): void {
  const errors = operations.flatMap(({ op }, place) => {
    const needed = op === 'put' || op === 'delete' ? 'ingest' : 'query';
    if (hasScope(caller, needed)) return [];
    return [{ path: `body.operations[${place}]`, message: `Use a key with the scope ${needed} for ${op}.` }];
  });
  if (errors.length > 0) throw invalidFields(errors, 'forbidden_scope');
}
