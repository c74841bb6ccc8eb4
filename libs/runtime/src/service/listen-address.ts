import { StartFailure } from './start-failure.js';

/** Where a service listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The variable that sets the port, for people whose port is taken. */
  readonly portVariable: 'ANNALS_HTTP_PORT' | 'ANNALS_HEALTH_PORT';
}

/** Turns what the operating system says about a port into a sentence; any other error stays as it is. */
export function explainListenError(
  error: Error & { code?: string },
  { host, port, portVariable }: ListenAddress,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartFailure(`Port ${port} on ${host} is in use. Set ${portVariable} to a free port.`);
    case 'EACCES':
      return new StartFailure(`Port ${port} is not open to this user. Set ${portVariable} to a port above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFailure(`This machine has no address ${host}. Set ANNALS_HTTP_HOST to one that it has.`);
    default:
      return error;
  }
}
