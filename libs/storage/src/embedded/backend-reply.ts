import type { TransactionState } from './wire-messages.js';

const TYPE = {
  notification: 0x41,
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  ready: 0x5a,
  parseComplete: 0x31,
};

/** The database's response to one batch, in the parts that matter to the hub. */
export interface BackendReply {
  /** The messages that the client receives. */
  readonly forClient: readonly Buffer[];
  readonly notifications: readonly { readonly channel: string; readonly message: Buffer }[];
  /** Of the last ReadyForQuery; undefined when there was none. */
  readonly state: TransactionState | undefined;
  readonly commandTags: readonly string[];
  readonly failed: boolean;
}

export interface ReplyFilter {
  /** Drop the first ParseComplete: it responds to a Parse that the hub added. */
  readonly dropFirstParseComplete?: boolean;
}

/** Takes notifications, for the clients that listen, and responses to added messages out of the bytes of a reply. */
export function parseReply(bytes: Buffer, filter: ReplyFilter = {}): BackendReply {
  const forClient: Buffer[] = [];
  const notifications: { channel: string; message: Buffer }[] = [];
  const commandTags: string[] = [];
  let state: TransactionState | undefined;
  let failed = false;
  let toDrop = filter.dropFirstParseComplete === true ? 1 : 0;
  let copiedUntil = 0;
  for (const { type, start, end } of walkMessages(bytes)) {
    if (type === TYPE.ready) state = String.fromCharCode(bytes[start + 5]!) as TransactionState;
    else if (type === TYPE.error) failed = true;
    else if (type === TYPE.commandComplete) commandTags.push(bytes.toString('latin1', start + 5, end - 1));
    const isNotification = type === TYPE.notification;
    const isAdded = type === TYPE.parseComplete && toDrop > 0;
    if (!isNotification && !isAdded) continue;
    if (copiedUntil < start) forClient.push(bytes.subarray(copiedUntil, start));
    copiedUntil = end;
    if (isAdded) toDrop -= 1;
    else
      notifications.push({
        channel: bytes.toString('utf8', start + 9, bytes.indexOf(0, start + 9)),
        message: bytes.subarray(start, end),
      });
  }
  if (copiedUntil < bytes.length) forClient.push(bytes.subarray(copiedUntil));
  return { forClient, notifications, state, commandTags, failed };
}

/** The rows of a reply as text columns. */
export function parseTextRows(bytes: Buffer): (string | null)[][] {
  const rows: (string | null)[][] = [];
  for (const { type, start } of walkMessages(bytes)) {
    if (type !== TYPE.dataRow) continue;
    const row: (string | null)[] = [];
    let offset = start + 7;
    for (let column = bytes.readInt16BE(start + 5); column > 0; column--) {
      const length = bytes.readInt32BE(offset);
      offset += 4;
      row.push(length < 0 ? null : bytes.toString('utf8', offset, offset + length));
      offset += Math.max(0, length);
    }
    rows.push(row);
  }
  return rows;
}

/** The first ErrorResponse of a reply, by its one-letter field codes (C = SQLSTATE, M = message, H = hint). */
export function parseError(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  for (const { type, start, end } of walkMessages(bytes)) {
    if (type !== TYPE.error) continue;
    const fields = bytes.toString('utf8', start + 5, end - 2).split('\0');
    return new Map(fields.map((field) => [field.slice(0, 1), field.slice(1)]));
  }
  return undefined;
}

function* walkMessages(bytes: Buffer): Generator<{ type: number; start: number; end: number }> {
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = start + 1 + bytes.readInt32BE(start + 1);
    yield { type: bytes[start]!, start, end };
  }
}
