import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Clock, startDeadline } from '@annals/domain';
import { readErrorCode, toVaultError, VaultUnavailableError } from '../unavailable.js';
import { closedArguments, closedEnvironment } from './closed-environment.js';
import { describeFailure, GitError } from './git-error.js';
import { isThere } from './git-folder.js';

export interface GitSettings {
  readonly clock: Clock;
  /** The PATH in which `git` is found. */
  readonly searchPath: string;
  /** Of one run of Git. Default: 10 minutes, since a disk may be slow and history long. */
  readonly timeoutMs?: number;
  /** Ends what runs, as at a shutdown. */
  readonly signal?: AbortSignal;
}

export interface GitRun {
  /** Written to stdin, as fast as Git reads it. */
  readonly input?: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Exit codes beside 0 that are no error. */
  readonly allowed?: readonly number[];
  /** Another index than the person's, absolute. */
  readonly indexFile?: string;
}

type Ending = { readonly code: number | string } | { readonly error: Error };

const DEFAULT_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Before the umask. */
const REPOSITORY_MODE = 0o770;
const MAX_STDERR_BYTES = 16 * 1024;

/**
 * The program `git` in one folder, in a closed environment. Every method throws `GitError`, or the reason of the signal
 * when that is aborted, or what `input` throws.
 */
export class Git {
  constructor(
    readonly folder: string,
    readonly settings: GitSettings,
  ) {}

  /** Makes a repository of its own in the folder, also inside of another one; completes one that was left half made. */
  async init(branch: string): Promise<void> {
    const needed = ['HEAD', 'config', 'objects', 'refs'].map((name) => isThere(path.join(this.folder, '.git', name)));
    if ((await Promise.all(needed)).every(Boolean)) return;
    // Its objects hold what the files do: nothing for other users of the machine.
    await mkdir(path.join(this.folder, '.git'), { mode: REPOSITORY_MODE }).catch((error: unknown) => {
      const code = readErrorCode(error);
      if (code !== 'EEXIST' && code !== 'ENOENT') throw error;
    });
    const args = ['-q', '--template=', '--object-format=sha1', `--initial-branch=${branch}`, this.folder];
    for await (const _ of this.spawn(['init', ...args], closedArguments(null))) continue;
  }

  /** Runs a command to its end; its output as text, without the last line break. */
  async text(args: readonly string[], options: GitRun = {}): Promise<string> {
    return (await this.run(args, options)).toString('utf8').replace(/\n$/, '');
  }

  /** As `text`, in bytes; at most 64 MiB. */
  async run(args: readonly string[], options: GitRun = {}): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of this.stream(args, options)) {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) throw new GitError('failed', `git ${args[0]} wrote too much in ${this.folder}.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** The output as it comes. Whoever stops reading ends the run. */
  stream(args: readonly string[], options: GitRun = {}): AsyncGenerator<Buffer, void> {
    return this.spawn(args, closedArguments(this.folder), options);
  }

  private async *spawn(
    args: readonly string[],
    closed: readonly string[],
    { input = [], allowed = [], indexFile }: GitRun = {},
  ): AsyncGenerator<Buffer, void> {
    const { clock, searchPath, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = this.settings;
    signal?.throwIfAborted();
    const child = spawn('git', [...closed, ...args], {
      cwd: this.folder,
      env: { ...closedEnvironment(searchPath), ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }) },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own: a program that Git has started would otherwise go on writing after Git was ended.
      detached: true,
    });
    const stop = stopGroup(child);
    const deadline = startDeadline(clock, timeoutMs, () => this.timedOut(args[0]!, timeoutMs));
    const ended = AbortSignal.any(signal ? [signal, deadline.signal] : [deadline.signal]);
    ended.addEventListener('abort', stop);
    const ending = readEnding(child);
    const stderr = collect(child.stderr);
    const fed = pipeline(Readable.from(input), child.stdin).catch((error: unknown) => {
      // Git closed its input: its exit code says why.
      if (['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes(readErrorCode(error) ?? '')) return;
      stop();
      throw error;
    });
    // It is awaited after the output, and must not count as unhandled until then.
    fed.catch(() => {});
    try {
      try {
        for await (const chunk of child.stdout) yield chunk as Buffer;
      } catch (error) {
        // The output of a program that could not be started: its ending says why.
        if (readErrorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      }
      const found = await ending;
      await fed;
      ended.throwIfAborted();
      if ('error' in found) throw await this.explain(found.error);
      if (found.code !== 0 && !allowed.includes(Number(found.code)))
        throw describeFailure(this.folder, args[0]!, found.code, await stderr);
    } finally {
      ended.removeEventListener('abort', stop);
      deadline.timer.stop();
      stop();
    }
  }

  private timedOut(command: string, timeoutMs: number): GitError {
    return new GitError('timeout', `git ${command} took longer than ${timeoutMs} ms in ${this.folder}, and was ended.`);
  }

  private async explain(error: Error): Promise<unknown> {
    if (readErrorCode(error) !== 'ENOENT') return toVaultError(error, this.folder);
    // The system says ENOENT for the program and for the folder alike.
    if (!(await isThere(this.folder))) {
      const cause = new VaultUnavailableError('ENOENT', this.folder);
      return new GitError('unavailable', cause.message, { cause });
    }
    return new GitError('git_missing', 'The program git was not found. Install Git, or switch off Git for the vault.');
  }
}

/** Ends the run with all that it has started. Does nothing once these have ended. */
function stopGroup(child: ChildProcess): () => void {
  let isOver = false;
  child.once('close', () => (isOver = true));
  return () => {
    if (isOver || child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      // It ended at this moment; some systems say EPERM for that.
      if (!['ESRCH', 'EPERM'].includes(readErrorCode(error) ?? '')) throw error;
    }
  };
}

function readEnding(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('close', (code, signal) => resolve({ code: code ?? signal ?? 'unknown' }));
  });
}

async function collect(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (bytes < MAX_STDERR_BYTES) chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch {
    // The program could not be started, which its ending says.
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, MAX_STDERR_BYTES);
}
