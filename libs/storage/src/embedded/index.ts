export { openEmbeddedDatabase, type EmbeddedDatabase, type EmbeddedDatabaseOptions } from './open-embedded-database.js';
export { listenTcp, type TcpListener } from './listen-tcp.js';
export {
  acquireDataFolderLock,
  DataFolderInUseError,
  type DataFolderLock,
  DataFolderUnusableError,
} from './data-folder-lock.js';
export { EngineCrashedError } from './engine.js';
export { LockTimeoutError } from './fifo-lock.js';
export type { HubStream } from './hub-stream.js';
