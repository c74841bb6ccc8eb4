import { ProblemError } from '@annals/contracts';
import { readSystemRandomBytes } from '@annals/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findSite, SiteFiles } from './site-files.js';

/** What the build writes in the place of the nonce (apps/console/vite.config.ts). */
const NONCE = 'annals-nonce';
const NONCE_BYTES = 18;
/** The build puts the hash of its content into the name of each of these. */
const ASSETS = 'assets/';
/** Headers `Cache-Control`: of those, and of the others. */
const NAMED_BY_CONTENT = 'public, max-age=31536000, immutable';
const UNNAMED = 'no-cache';

export interface SiteOptions {
  /** File of the page, of those that the build makes. */
  readonly page: string;
  /** Path under which it is served, for messages. */
  readonly path: string;
  /** Origins of pages that may show it in a frame. */
  readonly frameAncestors: readonly string[];
}

/** One page of apps/console with the files that it loads, as they are below its path. */
export class Site {
  private files: SiteFiles | undefined;

  constructor(private readonly options: SiteOptions) {}

  /** Sends a file by its path, '' for the page. @throws ProblemError `not_found` */
  async send(name: string, { headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.files ??= new SiteFiles(findSite());
    if (name === '') return this.sendPage(this.files, reply);
    const file = name.endsWith('.html') ? null : await this.files.read(name, headers['accept-encoding'] ?? '');
    if (!file) throw new ProblemError('not_found', `There is no such file. The page is at ${this.options.path}.`);
    if (file.encoding) reply.header('content-encoding', file.encoding);
    const caching = name.startsWith(ASSETS) ? NAMED_BY_CONTENT : UNNAMED;
    reply.header('cache-control', caching).header('vary', 'accept-encoding').type(file.type).send(file.content);
  }

  /** Another nonce with each response, so that none is kept. */
  private async sendPage(files: SiteFiles, reply: FastifyReply): Promise<void> {
    const page = await files.read(this.options.page, '');
    if (!page) throw new Error('The pages were not built: run `npm run build`.');
    const nonce = Buffer.from(readSystemRandomBytes(NONCE_BYTES)).toString('base64');
    const { frameAncestors } = this.options;
    // It knows no origins but its own, and would refuse what the policy allows.
    if (frameAncestors.length > 0) reply.removeHeader('x-frame-options');
    reply
      .header('content-security-policy', toPolicy(nonce, frameAncestors))
      .header('cache-control', 'no-store')
      .type(page.type)
      .send(page.content.toString().replaceAll(NONCE, nonce));
  }
}

/**
 * Scripts, styles and requests of this origin only, and nothing inline. The nonce is for the two rules that React Aria
 * adds to the document.
 */
function toPolicy(nonce: string, frameAncestors: readonly string[]): string {
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'";
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; connect-src 'self'; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`
  );
}
