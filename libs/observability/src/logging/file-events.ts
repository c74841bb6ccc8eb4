/** Events about the files of the embedded database. */
export const fileEvents = {
  files_scrubbed: {
    when: 'after the files of the embedded database were rewritten, so that they contain no deleted words; in debug output',
    fields: { durationMs: 'number' },
  },
  file_scrub_failed: {
    when: 'when the files of the embedded database could not be rewritten after a deletion; it is tried again',
    fields: { error: 'error' },
  },
} as const;
