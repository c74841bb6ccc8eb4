const FLAGS = ['--disposable-machine', '--keep'];

/**
 * Arguments of the commands that need a container engine.
 * @param {string[]} args
 * @returns {{ mayBuildMachine: boolean, keep: boolean, rest: string[] }} mayBuildMachine: a Debian with Docker may be
 *   started with all rights of root; keep: it is left running
 */
export function parseOptions(args) {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const unknown = own.filter((arg) => !FLAGS.includes(arg));
  if (unknown.length > 0) throw new Error(`Unknown argument ${unknown.join(' ')}. Use: ${FLAGS.join(', ')}.`);
  return {
    mayBuildMachine: own.includes('--disposable-machine'),
    keep: own.includes('--keep'),
    rest: end < 0 ? [] : args.slice(end + 1),
  };
}

/** Why nothing is done on a computer without Docker that may not be changed. */
export const NO_ENGINE =
  'No Docker daemon answers: start Docker, or, as root on a Linux machine that may be thrown away, add ' +
  '`-- --disposable-machine` to run a Debian with Docker in .containers (0.9 GB, with all rights of root).';
