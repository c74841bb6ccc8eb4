import type { LangGraphStoreOperation } from '@annals/contracts';

/** An operation with its place in the batch. */
type Placed<Operation> = Operation & { readonly place: number };

type Of<Op extends LangGraphStoreOperation['op']> = Placed<Extract<LangGraphStoreOperation, { op: Op }>>;

/** Whether an operation changes an item. */
export function isWrite<Operation extends Pick<LangGraphStoreOperation, 'op'>>(
  operation: Operation,
): operation is Extract<Operation, { op: 'put' | 'delete' }> {
  return operation.op === 'put' || operation.op === 'delete';
}

/** Operations that do not see each other: their reads run together, and then their writes. */
export interface StoreStep {
  readonly gets: readonly Of<'get'>[];
  readonly searches: readonly Of<'search' | 'list_namespaces' | 'statistics'>[];
  /** At most one for each place. */
  readonly writes: readonly Of<'put' | 'delete'>[];
}

interface OpenStep {
  gets: Of<'get'>[];
  searches: Of<'search' | 'list_namespaces' | 'statistics'>[];
  writes: Map<string, Of<'put' | 'delete'>>;
}

const placeOf = ({ namespace, key }: { readonly namespace: readonly string[]; readonly key: string }) =>
  JSON.stringify([namespace, key]);

/**
 * Divides a batch into as few steps as give each operation what those before it have written: a read begins a step when
 * it would see a write of the step, and so does a put behind a deletion of the same item, which is a new item then.
 */
export function planSteps(operations: readonly LangGraphStoreOperation[]): StoreStep[] {
  const steps: OpenStep[] = [];
  const open = (): OpenStep => {
    const step: OpenStep = { gets: [], searches: [], writes: new Map() };
    steps.push(step);
    return step;
  };
  let step = open();
  for (const [place, operation] of operations.entries()) {
    switch (operation.op) {
      case 'get':
        if (step.writes.has(placeOf(operation))) step = open();
        step.gets.push({ ...operation, place });
        break;
      case 'put':
      case 'delete': {
        const at = placeOf(operation);
        if (operation.op === 'put' && step.writes.get(at)?.op === 'delete') step = open();
        step.writes.set(at, { ...operation, place });
        break;
      }
      default:
        if (step.writes.size > 0) step = open();
        step.searches.push({ ...operation, place });
    }
  }
  return steps.map(({ gets, searches, writes }) => ({ gets, searches, writes: [...writes.values()] }));
}
