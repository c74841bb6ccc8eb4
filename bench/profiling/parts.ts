/** A frame of a CPU profile, as V8 describes it. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

export const IDLE = 'idle';
const START_UP = 'start-up';
const NODE = 'Node.js itself';
const DRIVER = 'driver (pg)';
const TYPEORM = 'TypeORM';
const QUEUE = 'BullMQ and ioredis';
const HTTP = 'HTTP (Nest, Fastify)';
const STORAGE = 'ours: storage';
const JOBS = 'ours: queues and jobs';
const JSON_TEXT = 'JSON';

/** Frames of the engine; the part of no package. */
const OF_ENGINE = new Map([
  ['(idle)', IDLE],
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'outside of JavaScript'],
]);

/** Parts by the address of the code; the first that matches. */
const BY_ADDRESS: readonly (readonly [part: string, address: RegExp])[] = [
  [START_UP, /^node:internal\/(?:modules|bootstrap|main)\//],
  ['hashing and random bytes', /^node:(?:internal\/)?crypto\b/],
  [JSON_TEXT, /\/bench\/processes\/json-frames|node_modules\/(?:secure-json-parse|fast-json-stringify)\//],
  ['the benchmark', /\/bench\//],
  [DRIVER, /node_modules\/(?:pg|pg-[a-z]+|postgres-[a-z]+|pgpass|split2)\//],
  [TYPEORM, /node_modules\/typeorm\//],
  [QUEUE, /node_modules\/(?:bullmq|ioredis|redis-parser|msgpackr|@ioredis\/[a-z]+)\//],
  ['validation (zod)', /node_modules\/zod\//],
  [
    'metrics and tracing',
    /node_modules\/(?:prom-client|tdigest|bintrees|@opentelemetry\/[a-z-]+)\/|\/libs\/observability\//,
  ],
  [HTTP, /node_modules\/(?:@nestjs|fastify|@fastify|light-my-request|find-my-way|rxjs|avvio)\/|^node:_?http/],
  [STORAGE, /\/libs\/storage\//],
  [JOBS, /\/libs\/(?:messaging|runtime|coordination)\/|\/apps\/[a-z-]+\/dist\/.*processor/],
  ['ours: English', /\/libs\/english\/|node_modules\/(?:wink-[a-z-]+|stemmer)\//],
  ['ours: domain', /\/libs\/domain\//],
  ['ours: models', /\/libs\/(?:llm-core|local-provider)\//],
  ['ours: services', /\/(?:apps|libs)\//],
  ['other packages', /node_modules\//],
];

/** Functions of Node's bindings that end in a system call of a socket. */
const SOCKET_WRITES = new Set(['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String', 'writeAsciiString']);
/** Who writes to which server. */
const SERVER_OF = new Map([
  [DRIVER, 'PostgreSQL'],
  [TYPEORM, 'PostgreSQL'],
  [STORAGE, 'PostgreSQL'],
  [QUEUE, 'Valkey'],
  [JOBS, 'Valkey'],
  [HTTP, 'HTTP'],
]);

/** The part of the frame at the bottom of every stack. */
export const ROOT_PART = NODE;

/**
 * The part that a frame's own time belongs to. Code without an address, and that of Node, counts for the package that
 * called it, `caller`. All that a module loads and runs while it is loaded is start-up.
 */
export function partOf({ functionName, url }: CallFrame, caller: string): string {
  if (caller === START_UP) return START_UP;
  if (url === '') {
    if (SOCKET_WRITES.has(functionName)) return `socket writes: ${SERVER_OF.get(caller) ?? 'others'}`;
    return OF_ENGINE.get(functionName) ?? caller;
  }
  return BY_ADDRESS.find(([, address]) => address.test(url))?.[0] ?? caller;
}
