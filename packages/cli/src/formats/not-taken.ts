/** Something of an export that is not taken. Ids only, and never words. */
export interface NotTaken {
  readonly kind: 'user_context' | 'conversation' | 'message' | 'memory' | 'line';
  /** As the export names it. */
  readonly id: string;
  /** A noun phrase, the same for all that are left out for one reason. */
  readonly reason: string;
  /** Whether the server refused it. Otherwise the program leaves such things out. */
  readonly isRefused: boolean;
}

export type OnNotTaken = (what: NotTaken) => void;

export const leftOut = (kind: NotTaken['kind'], id: string, reason: string): NotTaken => {
  return { kind, id, reason, isRefused: false };
};
