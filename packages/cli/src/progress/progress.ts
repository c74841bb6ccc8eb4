import { Presets, SingleBar } from 'cli-progress';

/** How far something is: of how many bytes, and what was counted so far. */
export interface Progress {
  advance(bytes: number): void;
  /** Numbers by name, as they are now. */
  show(counts: Readonly<Record<string, number>>): void;
  stop(): void;
}

export interface ProgressOutput {
  readonly stream: NodeJS.WritableStream;
  readonly isTerminal: boolean;
}

/** Every tenth of the whole is a line where there is no terminal. */
const STEPS = 10;

export function startProgress(total: number, { stream, isTerminal }: ProgressOutput): Progress {
  return isTerminal ? startBar(total, stream) : startLines(total, stream);
}

const describe = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

function startBar(total: number, stream: NodeJS.WritableStream): Progress {
  const bar = new SingleBar(
    { stream, format: '{bar} {percentage} %  {counts}', hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(Math.max(1, total), 0, { counts: '' });
  return {
    advance: (bytes) => bar.increment(bytes),
    show: (counts) => bar.update({ counts: describe(counts) }),
    stop: () => bar.stop(),
  };
}

function startLines(total: number, stream: NodeJS.WritableStream): Progress {
  let done = 0;
  let step = 0;
  return {
    advance: (bytes) => void (done += bytes),
    show(counts) {
      const now = Math.min(STEPS, Math.floor((done * STEPS) / Math.max(1, total)));
      if (now <= step) return;
      step = now;
      stream.write(`${(now * 100) / STEPS} %: ${describe(counts)}\n`);
    },
    stop: () => undefined,
  };
}
