/**
 * Set over the repository's own configuration, which is input like any file: a person may have copied or edited it, and
 * nothing it names may be run. Only plumbing commands run besides, which know no aliases, editors, pagers and filters.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.alternateRefsCommand': 'false',
  'core.sshCommand': 'false',
  'core.gitProxy': '',
  'core.askPass': '',
  'core.pager': 'cat',
  'core.editor': 'false',
  'credential.helper': '',
  'gpg.program': 'false',
  'gc.recentObjectsHook': '',
  'protocol.allow': 'never',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'safe.directory': '*',
  'core.bare': 'false',
  'core.quotePath': 'false',
  'core.autocrlf': 'false',
  'core.safecrlf': 'false',
  'core.splitIndex': 'false',
  'core.untrackedCache': 'false',
  'core.sparseCheckout': 'false',
  'core.sharedRepository': 'false',
  'core.logAllRefUpdates': 'true',
  'core.multiPackIndex': 'false',
  'core.commitGraph': 'false',
  'index.sparse': 'false',
  'index.skipHash': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'fastimport.unpackLimit': '100',
  'pack.packSizeLimit': '0',
  'pack.writeReverseIndex': 'false',
  'repack.writeBitmaps': 'false',
  'repack.updateServerInfo': 'false',
  // A power loss leaves whole objects: one flush for each commit, not one for each object.
  'core.fsync': 'committed,loose-object',
  'core.fsyncMethod': 'batch',
};

/**
 * Arguments before the command. `folder` is the work tree, and its repository the folder `.git` in it; `null` for the
 * command that makes one.
 */
export function closedArguments(folder: string | null): string[] {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const place = folder === null ? [] : [`--git-dir=${folder}/.git`, `--work-tree=${folder}`];
  return ['--no-pager', '--literal-pathspecs', ...place, ...settings];
}

/** All variables of a run: nothing is inherited. `searchPath` is the PATH in which `git` is found. */
export function closedEnvironment(searchPath: string): Record<string, string> {
  return {
    PATH: searchPath,
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    // An absent object is never fetched from a remote that the configuration names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}
