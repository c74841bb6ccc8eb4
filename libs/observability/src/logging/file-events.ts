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
  backup_written: {
    when: 'after a backup of the embedded database was written; `blockedMs` is how long requests waited for it',
    fields: { files: 'number', bytes: 'number', blockedMs: 'number' },
  },
  backup_failed: {
    when: 'when a backup of the embedded database could not be written',
    fields: { error: 'error' },
  },
  deletions_export_failed: {
    when: 'when deletions could not be appended to the list of ANNALS_DELETIONS_FILE; it is tried again, and logged once for each cause',
    fields: { error: 'error' },
  },
} as const;
