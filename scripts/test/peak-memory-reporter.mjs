import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const SAMPLE_EVERY_MS = 1_000;

/** Prints the peak memory of the run at its end: this process, its workers and all their child processes. */
export class PeakMemoryReporter {
  #peakKb = 0;
  #timer;
  #sampling;

  onTestRunStart() {
    const sample = () => (this.#sampling ??= this.#sample().finally(() => (this.#sampling = undefined)));
    this.#timer = setInterval(sample, SAMPLE_EVERY_MS);
    this.#timer.unref();
  }

  async onTestRunEnd() {
    clearInterval(this.#timer);
    await this.#sampling;
    await this.#sample();
    process.stdout.write(
      `\n   Peak memory ${(this.#peakKb / 1024 / 1024).toFixed(2)} GB, of all processes of this run\n`,
    );
  }

  async #sample() {
    const processes = await listProcesses();
    const processTree = findProcessTree(processes, process.pid);
    const sizes = await Promise.all(processTree.map(readProportionalKb));
    const total = sizes.reduce((sum, kb) => sum + kb, 0);
    this.#peakKb = Math.max(this.#peakKb, total);
  }
}

/** @returns {Promise<{ pid: number, parent: number }[]>} */
async function listProcesses() {
  if (process.platform !== 'linux') return listByPs();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  // The name, in parentheses, may contain blanks: fields are counted from `) state parent` on.
  return stats.filter(Boolean).map((stat) => ({
    pid: Number.parseInt(stat, 10),
    parent: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]),
  }));
}

async function listByPs() {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid, parent]) => ({ pid, parent }));
}

/** The process and all its descendants. */
function findProcessTree(processes, first) {
  const processTree = [first];
  for (const member of processTree) {
    processTree.push(...processes.filter(({ parent }) => parent === member).map(({ pid }) => pid));
  }
  return processTree;
}

/** Proportional set size in kB: shared memory is split among its processes, so that sums are right. 0 after an exit. */
async function readProportionalKb(pid) {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', `${pid}`]).catch(() => ({ stdout: '0' }));
    return Number(stdout);
  }
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
}
