import type { LangGraphCheckpointSaved } from '@annals/contracts';
import { shouldStoreSnapshot } from '@annals/domain';
import type { LockedNamespace } from './namespaces.js';
import { describeVersion } from './version.js';

/** What has been stored since the last whole state, to decide about the next one. */
export function statisticsOf(row: Pick<LockedNamespace, 'seq' | 'whole_seq' | 'whole_bytes' | 'delta_bytes'>) {
  return { versions: row.seq - row.whole_seq, wholeBytes: row.whole_bytes, deltaBytes: row.delta_bytes };
}

/** The answer to a save, by the namespace as it is then. */
export function describeSaved(row: LockedNamespace): LangGraphCheckpointSaved {
  return {
    version: describeVersion({ namespaceKey: row.namespace_key, seq: row.seq, bytes: row.bytes }),
    takes_delta: !shouldStoreSnapshot(statisticsOf(row), 0),
  };
}
