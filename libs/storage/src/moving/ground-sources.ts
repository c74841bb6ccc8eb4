import { createSliceMeter, type NewSource, type Sliced } from '@annals/domain';
import type { ImportedText } from './import-conversations.js';
import type { MemoryToImport, Refusal } from './import-input.js';

export const SOURCES_MISSING: Refusal = {
  code: 'sources_missing',
  detail: 'The messages that it rests on are not there: import their conversations first.',
};
export const NOT_GROUNDED: Refusal = {
  code: 'not_grounded',
  detail: 'It was said by nobody: no message has the quote that it rests on, or what was said was forgotten here.',
};

export interface GroundedSources {
  readonly sources: readonly NewSource[];
  /** Time of the newest one, epoch ms; null without any. */
  readonly saidAt: number | null;
  /** How many rest on a message that is not there. */
  readonly missing: number;
}

/** A message under the id that it has here, with its text if it is there; null for one that was deleted here. */
type FindMessage = (id: string) => { readonly id: string; readonly text: ImportedText | undefined } | null;

/** Finds the sources whose quotes occur in their messages, as these are stored; the searches of all memories share slices. */
export class SourceGrounder {
  private readonly meter = createSliceMeter();

  constructor(private readonly find: FindMessage) {}

  *ground({ sources }: Pick<MemoryToImport, 'sources'>): Sliced<GroundedSources> {
    const grounded: NewSource[] = [];
    const times: number[] = [];
    let missing = 0;
    for (const { messageId, quotes } of sources) {
      const message = this.find(messageId);
      if (message && !message.text) missing += 1;
      if (!message?.text) continue;
      const { content, saidAt } = message.text;
      let quote: string | undefined;
      for (const each of quotes) {
        if (quote !== undefined) break;
        yield* this.meter(content.length);
        if (content.includes(each)) quote = each;
      }
      if (quote === undefined) continue;
      grounded.push({ messageId: message.id, quote });
      times.push(saidAt);
    }
    return { sources: grounded, saidAt: times.length === 0 ? null : Math.max(...times), missing };
  }
}
