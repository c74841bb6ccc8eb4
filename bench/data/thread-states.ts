import { type Rng, SeededRng } from '@annals/domain';
import { createSentence } from './memories.ts';

export interface ThreadMessage {
  readonly id: string;
  readonly type: 'human' | 'ai';
  readonly content: string;
}

/** The state of an agent for a thread: its messages and its progress. */
export interface ThreadState {
  readonly step: number;
  readonly messages: readonly ThreadMessage[];
}

const SENTENCES = 4;

export function createMessage(rng: Rng, serial: number): ThreadMessage {
  const sentences = Array.from({ length: SENTENCES }, (_, index) => createSentence(rng, serial * SENTENCES + index));
  return { id: `message-${serial}`, type: serial % 2 === 0 ? 'human' : 'ai', content: sentences.join(' ') };
}

/** A thread that adds a message at every step and stores the last ones, about `bytes` of them as JSON. */
export class MovingThread {
  private readonly rng: SeededRng;
  private messages: ThreadMessage[] = [];
  private step = 0;

  constructor(seed: number, bytes: number) {
    this.rng = new SeededRng(seed);
    let length = 0;
    while (length < bytes) {
      const message = createMessage(this.rng, this.step);
      length += JSON.stringify(message).length + 1;
      this.messages.push(message);
      this.step += 1;
    }
  }

  next(): ThreadState {
    this.messages = [...this.messages.slice(1), createMessage(this.rng, this.step)];
    this.step += 1;
    return { step: this.step, messages: this.messages };
  }
}
