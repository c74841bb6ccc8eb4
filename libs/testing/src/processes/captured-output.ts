import type { Readable } from 'node:stream';

const SHOWN_LINES = 40;

/** All output of a process, over its restarts. */
export class CapturedOutput {
  private readonly chunks: string[] = [];

  follow(...streams: readonly Readable[]): void {
    for (const stream of streams) {
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => this.chunks.push(chunk));
    }
  }

  get text(): string {
    return this.chunks.join('');
  }

  /** The last lines, for error messages. */
  get tail(): string {
    return this.text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  }
}
