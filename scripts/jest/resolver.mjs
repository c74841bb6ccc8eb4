import { findSource } from './find-source.mjs';

/** The resolver of jest.config.mjs: sources for our own imports, jest's rules for everything else. */
export function sync(request, options) {
  return findSource(request, options.basedir) ?? options.defaultResolver(request, options);
}
