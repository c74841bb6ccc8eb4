import { requireText } from '../require-text.js';
import type { MemoryCommand, MemoryToolHandlers } from './commands.js';
import { readChange } from './edits.js';
import type { Layout } from './layout.js';
import { type FilesClient, MemoryFiles } from './memory-files.js';
import { isWithin, readPath, ROOT } from './paths.js';
import { numberLines, renderFolder } from './render.js';

export interface MemoryToolOptions {
  /** Whose memory. */
  readonly user: string;
  /** Of the checkpoint that holds which memories are lines of which file. Default: `memory-tool`. */
  readonly thread?: string;
  /** Of the memories. Default: `knowledge`, which is searched and not in every prompt. */
  readonly category?: string;
}

/** For `betaMemoryTool(handlers)` of `@anthropic-ai/sdk`, and, with `execute`, for `memory_20250818` of `@ai-sdk/anthropic`. */
export interface AnnalsMemoryTool extends MemoryToolHandlers {
  execute(command: MemoryCommand): Promise<string>;
}

/** Files under `/memories` for Anthropic's memory tool, whose lines are memories of the user. */
export function annalsMemoryTool(client: FilesClient, options: MemoryToolOptions): AnnalsMemoryTool {
  requireText({ ...options }, 'user', 'whose memory it is');
  const { user, thread = 'memory-tool', category = 'knowledge' } = options;
  const files = new MemoryFiles(client, { user, thread, category });
  const change = (command: Exclude<MemoryCommand, { command: 'view' }>): Promise<string> => {
    const plan = readChange(command);
    return files.change(plan);
  };
  const handlers: MemoryToolHandlers = {
    async view({ path: asked, view_range }) {
      const path = readPath(asked);
      const { layout } = await files.load();
      const stored = layout.files.get(path);
      if (stored === undefined) return viewFolder(path, asked, layout);
      const shown = await files.lines().show(stored);
      const [from = 1, to = -1] = view_range ?? [];
      const first = Math.max(1, from);
      const lines = shown.slice(first - 1, to === -1 ? undefined : to).map(({ text }) => text);
      return `Here's the content of ${asked} with line numbers:\n${numberLines(lines, first)}`;
    },
    create: async (command) => change(command),
    str_replace: async (command) => change(command),
    insert: async (command) => change(command),
    delete: async (command) => change(command),
    rename: async (command) => change(command),
  };
  return { ...handlers, execute: async (command) => run(handlers, command) };
}

function viewFolder(path: string, asked: string, { files }: Layout): string {
  const exists = path === ROOT || [...files.keys()].some((file) => isWithin(path, file));
  if (!exists) throw new Error(`The path ${asked} does not exist. Please provide a valid path.`);
  return renderFolder(path, files);
}

async function run(handlers: MemoryToolHandlers, command: MemoryCommand): Promise<string> {
  if (!Object.hasOwn(handlers, command.command)) throw new Error(`${command.command} not implemented`);
  const handler = handlers[command.command] as (command: MemoryCommand) => Promise<string>;
  return handler(command);
}
