import { ProblemError } from '@annals/contracts';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { isIP } from 'node:net';
import type { GatewayConfig } from '../config.js';

interface Source {
  /** The host that was asked for, with its port. */
  readonly host: string;
  /** The web page that sent the request; undefined when no browser did. */
  readonly origin: string | undefined;
}

/** The host names that `/mcp` answers to; null for every one, and then no web page may call it. */
export function listAllowedHosts({ http, mcp }: Pick<GatewayConfig, 'http' | 'mcp'>): readonly string[] | null {
  if (mcp.hosts) return mcp.hosts;
  return isLoopback(http.host) ? localhostAllowedHostnames() : null;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Throws `forbidden_origin` for a request that a web page of another host may have caused, also one whose name was made
 * to point at this process (DNS rebinding).
 */
export function checkSource({ host, origin }: Source, allowed: readonly string[] | null): void {
  if (allowed && !validateHostHeader(host, [...allowed]).ok)
    throw forbidden('host', 'under this host name', 'the host name');
  if (origin === undefined) return;
  if (!allowed || origin === '' || !validateOriginHeader(origin, [...allowed]).ok)
    throw forbidden('origin', 'to web pages of this origin', 'the host name of its URL');
}

function forbidden(header: 'host' | 'origin', what: string, name: string): ProblemError {
  return new ProblemError('forbidden_origin', `/mcp is not served ${what}: add ${name} to ANNALS_MCP_HOSTS.`, {
    errors: [{ path: `headers.${header}`, message: 'Send an allowed one.' }],
  });
}
