import type { KeyRecord, NewEvent } from 'mneme/plugin'

/** Builds the events of a key. A test key's events belong to the test twin, as nothing of test mode shows in live data. */
export function keyEvent(
  kind: 'key.created' | 'key.revoked',
  key: KeyRecord,
  data: { rotation?: true } = {},
): NewEvent {
  return {
    kind,
    workspaceId: key.mode === 'test' ? key.twinId : key.workspaceId,
    subjectId: key.id,
    userId: null,
    data: { name: key.name, prefix: key.prefix, mode: key.mode, ...data },
  }
}
