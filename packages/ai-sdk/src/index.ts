export { annalsMemory, type AnnalsMemory } from './middleware/annals-memory.js';
export type { MemoryOptions, RecallOptions } from './middleware/options.js';
export type { RecallStatus } from './middleware/recall.js';
export { annalsTools, type AnnalsTools, type ToolsClient, type ToolsOptions } from './tools/annals-tools.js';
export { annalsMemoryTool, type AnnalsMemoryTool, type MemoryToolOptions } from './memory-tool/annals-memory-tool.js';
export type { MemoryCommand, MemoryToolHandlers } from './memory-tool/commands.js';
export type { FilesClient } from './memory-tool/memory-files.js';
