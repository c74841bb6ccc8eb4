import type { FastifyRequest } from 'fastify';
import { RESOURCE_METADATA_PATHS } from './route-table.js';

/** Where the caller reaches this process; behind a proxy as that says, if it is one of ANNALS_TRUSTED_PROXIES. */
export function baseUrlOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  return `${protocol}://${host}`;
}

/** The URL of the metadata of `/mcp` (RFC 9728), for a caller without a valid key. */
export function resourceMetadataUrl(request: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  return baseUrlOf(request) + RESOURCE_METADATA_PATHS[0];
}
