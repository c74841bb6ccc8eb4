import { type Database, DatabaseUnavailableError } from '@annals/storage';

type InTenant = Database['inTenant'];

/**
 * Transactions of a database whose connection is lost once: of the first one that runs a statement with these words,
 * `before` its commit, or `behind` it, when only the answer is lost.
 */
export function loseConnection(
  inTenant: InTenant,
  when: 'before' | 'behind',
  words: string,
): { readonly inTenant: InTenant; readonly wasLost: () => boolean } {
  let isLost = false;
  const lose = (hasRun: boolean) => {
    if (isLost || !hasRun) return;
    isLost = true;
    throw new DatabaseUnavailableError(new Error('The connection was lost.'));
  };
  const unsteady: InTenant = async (tenantId, work) => {
    let hasRun = false;
    const result = await inTenant(tenantId, async (tx) => {
      const value = await work(
        new Proxy(tx, {
          get(target, name) {
            const member = Reflect.get(target, name, target) as unknown;
            if (typeof member !== 'function') return member;
            return (...given: unknown[]) => {
              hasRun ||= typeof given[0] === 'string' && given[0].includes(words);
              return Reflect.apply(member, target, given) as unknown;
            };
          },
        }),
      );
      if (when === 'before') lose(hasRun);
      return value;
    });
    if (when === 'behind') lose(hasRun);
    return result;
  };
  return { inTenant: unsteady, wasLost: () => isLost };
}
