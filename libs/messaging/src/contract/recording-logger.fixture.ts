import type { Logger } from '@annals/observability';

export interface LoggedLine {
  readonly level: string;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that stores its lines for assertions. */
export function createRecordingLogger(): { logger: Logger; lines: LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const write =
    (level: string) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
      lines.push({ level, event, fields });
    };
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    isEnabled: () => true,
    child: () => logger,
  };
  return { logger, lines };
}
