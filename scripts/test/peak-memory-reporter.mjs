import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const SAMPLE_EVERY_MS = 1_000;
/** Of Linux on the usual machines; resident sizes are only compared with each other. */
const PAGE_KB = 4;

/** Prints the peak memory of the run at its end: this process, its workers and all their child processes. */
export class PeakMemoryReporter {
  #peakKb = 0;
  #peakResidentKb = 0;
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
    const processTree = findProcessTree(await listProcesses(), process.pid);
    const residentKb = sum(processTree.map((each) => each.residentKb));
    // The proportional size of one process takes the kernel 6 ms, every second 5 % of a core for all of them: only when
    // their resident sizes, which count shared memory several times, are larger than before.
    if (residentKb <= this.#peakResidentKb) return;
    this.#peakResidentKb = residentKb;
    this.#peakKb = Math.max(this.#peakKb, sum(processTree.map(readProportionalKb)));
  }
}

/**
 * @typedef {{ pid: number, parent: number, residentKb: number }} ListedProcess
 */

/** @returns {Promise<ListedProcess[]>} */
async function listProcesses() {
  if (process.platform !== 'linux') return listByPs();
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = pids.map((pid) => readProcessFile(pid, 'stat'));
  return stats.filter(Boolean).map((stat) => {
    // The name, in parentheses, may contain blanks: fields are counted from `) state parent` on.
    const fields = stat.slice(stat.lastIndexOf(')')).split(' ');
    return { pid: Number.parseInt(stat, 10), parent: Number(fields[2]), residentKb: Number(fields[22]) * PAGE_KB };
  });
}

async function listByPs() {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,rss=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid, parent, residentKb]) => ({ pid, parent, residentKb }));
}

/**
 * The process and all its descendants.
 * @param {ListedProcess[]} processes
 * @param {number} first
 */
function findProcessTree(processes, first) {
  const processTree = processes.filter(({ pid }) => pid === first);
  for (const member of processTree) processTree.push(...processes.filter(({ parent }) => parent === member.pid));
  return processTree;
}

/** Proportional set size in kB: shared memory is split among its processes, so that sums are right. 0 after an exit. */
function readProportionalKb({ pid, residentKb }) {
  if (process.platform !== 'linux') return residentKb;
  return Number(/^Pss:\s+(\d+) kB/m.exec(readProcessFile(pid, 'smaps_rollup'))?.[1] ?? 0);
}

/** '' once the process has ended. Synchronous, which takes a quarter of the CPU time: the kernel answers from memory. */
function readProcessFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
