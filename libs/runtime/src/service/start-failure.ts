import { DataFolderInUseError, DataFolderUnusableError } from '@annals/storage';

/** A process cannot start, for a reason that a person can fix: printed as one sentence, without a stack trace. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** True for errors whose message is a sentence that says what to do. */
export function isUserFacingError(error: unknown): error is Error {
  return [StartFailure, DataFolderInUseError, DataFolderUnusableError].some((kind) => error instanceof kind);
}

/** The address that a service listens on. */
export interface ListenAddress {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The variable that sets the port, named in error messages. */
  readonly portVariable: 'ANNALS_HTTP_PORT' | 'ANNALS_HEALTH_PORT' | 'ANNALS_METRICS_PORT';
  /** The variable that sets the host; `ANNALS_HTTP_HOST` unless given. */
  readonly hostVariable?: 'ANNALS_METRICS_HOST';
}

/** Turns an error of the operating system about a port into a sentence; returns any other error unchanged. */
export function explainListenError(
  error: Error & { code?: string },
  { host, port, portVariable, hostVariable }: ListenAddress,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartFailure(`Port ${port} on ${host} is in use. Set ${portVariable} to a free port.`);
    case 'EACCES':
      return new StartFailure(`This user may not listen on port ${port}. Set ${portVariable} to a port above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFailure(
        `This machine has no address ${host}. Set ${hostVariable ?? 'ANNALS_HTTP_HOST'} to an address of this machine.`,
      );
    default:
      return error;
  }
}
