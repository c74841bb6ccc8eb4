import { ProblemError } from '@annals/contracts';
import { isIP } from 'node:net';
import type { GatewayConfig } from '../config.js';

/** As URLs have them. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

interface Source {
  /** The host that was asked for, with its port. */
  readonly host: string;
  /** The web page that sent the request; undefined when no browser did. */
  readonly origin: string | undefined;
}

/** The host names that `/mcp` answers to; null for every one, and then no web page may call it. */
export function listAllowedHosts({ http, mcp }: Pick<GatewayConfig, 'http' | 'mcp'>): readonly string[] | null {
  if (mcp.hosts) return mcp.hosts;
  return isLoopback(http.host) ? LOOPBACK_NAMES : null;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Throws `forbidden_origin` for a request that a web page of another host may have caused, also one whose name was made
 * to point at this process (DNS rebinding).
 */
export function checkSource({ host, origin }: Source, allowed: readonly string[] | null): void {
  if (allowed && !isAllowed(`http://${host}`, allowed))
    throw forbidden('host', 'under this host name', 'the host name');
  if (origin === undefined) return;
  if (!allowed || !isAllowed(origin, allowed))
    throw forbidden('origin', 'to web pages of this origin', 'the host name of its URL');
}

/** A URL that is none, such as the origin `null`, is not. */
function isAllowed(url: string, allowed: readonly string[]): boolean {
  return URL.canParse(url) && allowed.includes(new URL(url).hostname);
}

function forbidden(header: 'host' | 'origin', what: string, name: string): ProblemError {
  return new ProblemError('forbidden_origin', `/mcp is not served ${what}: add ${name} to ANNALS_MCP_HOSTS.`, {
    errors: [{ path: `headers.${header}`, message: 'Send an allowed one.' }],
  });
}
