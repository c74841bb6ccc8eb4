import { type Config, ConfigError } from '@annals/config';
import { type CategoryConfig, DEFAULT_CATEGORY_CONFIG, parseCategories } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { readFileSync, stat, type Stats, statSync } from 'node:fs';

const VARIABLE = 'ANNALS_CATEGORIES_FILE';
/** Polled by its times, since mounted folders emit no change events. */
const CHECK_INTERVAL_MS = 2_000;

export interface Categories {
  readonly current: CategoryConfig;
  /** Reads the file again; an invalid file changes nothing. */
  reload(): void;
  /** Stops watching the file. */
  close(): void;
}

/** The shipped categories, or those of the configured file, read once. @throws ConfigError that names line and field when the file is invalid */
export function loadCategories({ categories: { file } }: Config<'categories'>): CategoryConfig {
  return file === undefined ? DEFAULT_CATEGORY_CONFIG : readCategories(file);
}

/**
 * The shipped categories, or those of the configured file, which is watched: it is read again when it changes and on
 * SIGHUP.
 * @throws ConfigError that names line and field when the file is invalid at startup
 */
export function openCategories({ categories: { file } }: Config<'categories'>, logger: Logger): Categories {
  return file === undefined
    ? { current: DEFAULT_CATEGORY_CONFIG, reload: () => undefined, close: () => undefined }
    : new WatchedCategories(file, logger);
}

class WatchedCategories implements Categories {
  current: CategoryConfig;
  /** State of the file before it was read, so that a write during the read is detected as a change. */
  private fileState: string;
  private readonly onSignal = () => this.reload();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly file: string,
    private readonly logger: Logger,
  ) {
    this.fileState = this.readFileState();
    this.current = readCategories(file);
    const check = () => stat(file, (_, stats) => describeTimes(stats) !== this.fileState && this.reload());
    this.timer = setInterval(check, CHECK_INTERVAL_MS).unref();
    process.on('SIGHUP', this.onSignal);
  }

  reload(): void {
    this.fileState = this.readFileState();
    try {
      this.current = readCategories(this.file);
    } catch (error) {
      this.logger.error('categories_rejected', { error });
      return;
    }
    const { categories, allowlists } = this.current;
    this.logger.info('categories_reloaded', {
      categories: categories.length,
      allowlists: Object.keys(allowlists).length,
    });
  }

  close(): void {
    clearInterval(this.timer);
    process.off('SIGHUP', this.onSignal);
  }

  private readFileState(): string {
    try {
      return describeTimes(statSync(this.file));
    } catch {
      return describeTimes(undefined);
    }
  }
}

/** Also for a file that does not exist or cannot be read. */
function describeTimes(stats: Stats | undefined): string {
  return stats ? [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ') : 'none';
}

function readCategories(file: string): CategoryConfig {
  const parsed = parseCategories(readText(file));
  if (parsed.ok) return parsed.config;
  throw new ConfigError(
    parsed.problems.map(({ line, field, message }) => ({
      variable: VARIABLE,
      message: `${VARIABLE}, line ${line}${field === '' ? '' : `, ${field}`}: ${message}`,
    })),
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError([
      { variable: VARIABLE, message: `${VARIABLE} must name a file that this process can read.` },
    ]);
  }
}
