import type { SentOperation } from './to-request.js';

/** An operation with its place in the batch, and whose items it is about. */
export interface OwnedOperation {
  readonly place: number;
  readonly user: string | undefined;
  readonly operation: SentOperation;
}

/** Operations of one user that are sent in requests of their own, in this order. */
export type UserRequests = readonly (readonly OwnedOperation[])[];

/** As many as one request takes. */
const MAX_OPERATIONS = 200;
/** Below the size of a body that Annals accepts by default, 1 MiB. */
const MAX_LENGTH = 900_000;

/** The requests of each user, usually one. An operation that is too long by itself is refused by the server. */
export function groupOperations(operations: readonly OwnedOperation[]): UserRequests[] {
  const byUser = Map.groupBy(operations, ({ user }) => user);
  return [...byUser.values()].map(divide);
}

function divide(operations: readonly OwnedOperation[]): UserRequests {
  const requests: OwnedOperation[][] = [];
  let room = 0;
  for (const owned of operations) {
    const length = lengthOf(owned.operation);
    const last = requests.at(-1);
    if (last && last.length < MAX_OPERATIONS && length <= room) {
      last.push(owned);
      room -= length;
    } else {
      requests.push([owned]);
      room = MAX_LENGTH - length;
    }
  }
  return requests;
}

/** As JSON in UTF-8, in bytes. */
function lengthOf(operation: SentOperation): number {
  return Buffer.byteLength(JSON.stringify(operation));
}
