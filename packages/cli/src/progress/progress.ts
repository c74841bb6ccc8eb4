import { Presets, SingleBar } from 'cli-progress';

/** How far something is: of how many bytes, and what was counted so far. */
export interface Progress {
  /** What was read before is done, and these bytes are being worked on. */
  advance(bytes: number): void;
  /** Numbers by name, as they are now. */
  show(counts: Readonly<Record<string, number>>): void;
  /** Everything is done. */
  finish(): void;
  /** Leaves it where it is. */
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
  let reading = 0;
  return {
    advance(bytes) {
      bar.increment(reading);
      reading = bytes;
    },
    show: (counts) => bar.update({ counts: describe(counts) }),
    finish() {
      bar.update(bar.getTotal());
      bar.stop();
    },
    stop: () => bar.stop(),
  };
}

function startLines(total: number, stream: NodeJS.WritableStream): Progress {
  let done = 0;
  let reading = 0;
  let step = 0;
  let last = '';
  const write = (now: number) => {
    if (now <= step || last === '') return;
    step = now;
    stream.write(`${(now * 100) / STEPS} %: ${last}\n`);
  };
  return {
    advance(bytes) {
      done += reading;
      reading = bytes;
    },
    show(counts) {
      last = describe(counts);
      write(Math.floor((Math.min(done, total) * STEPS) / Math.max(1, total)));
    },
    finish: () => write(STEPS),
    stop: () => undefined,
  };
}
