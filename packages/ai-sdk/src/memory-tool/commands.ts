/** The commands of Anthropic's tool `memory_20250818`, as both of their libraries give them to handlers. */
interface ViewCommand {
  readonly command: 'view';
  readonly path: string;
  readonly view_range?: readonly number[] | undefined;
}

export interface CreateCommand {
  readonly command: 'create';
  readonly path: string;
  readonly file_text: string;
}

export interface StrReplaceCommand {
  readonly command: 'str_replace';
  readonly path: string;
  readonly old_str: string;
  readonly new_str: string;
}

export interface InsertCommand {
  readonly command: 'insert';
  readonly path: string;
  readonly insert_line: number;
  readonly insert_text: string;
}

export interface DeleteCommand {
  readonly command: 'delete';
  readonly path: string;
}

export interface RenameCommand {
  readonly command: 'rename';
  readonly old_path: string;
  readonly new_path: string;
}

export type MemoryCommand =
  ViewCommand | CreateCommand | StrReplaceCommand | InsertCommand | DeleteCommand | RenameCommand;

/** Each answers as the model knows it from its training, and throws what it has to know of an error. */
export type MemoryToolHandlers = {
  [Name in MemoryCommand['command']]: (command: Extract<MemoryCommand, { command: Name }>) => Promise<string>;
};
