import type { Caller, Tx } from 'mneme/plugin'
import type { SinceRead } from '../document/since-read.ts'
import { WRITE } from '../route.ts'

/** When a caller last read an entry, and what became of it since; earlier versions did not note what went. */
export interface LastRead extends Partial<SinceRead> {
  /** Seconds since 1970. */
  readonly at: number
}

export type Readers = Readonly<Record<string, LastRead>>

/** Callers that are noted for an entry; the last ones. */
const READERS_MAX = 20

/**
 * Notes that a caller reads the contents of entries, in the versions that are given. Nothing is written where it has read them before, for a
 * caller that cannot edit unless nobody has read them, or of an entry that is about to change.
 */
export async function markRead(
  tx: Tx,
  workspaceId: string,
  entries: readonly { readonly id: string; readonly version: number }[],
  caller: Pick<Caller, 'id' | 'permissions'>,
): Promise<void> {
  const given = JSON.stringify(entries.map(({ id, version }) => ({ id, version })))
  const isEditor = caller.permissions === 'all' || caller.permissions.has(WRITE.permission)
  const reader = isEditor ? caller.id : null
  const unread = tx`
    select entry.id
    from knowledge.entry
    join jsonb_to_recordset(${given}::text::jsonb) as given (id uuid, version integer)
      on given.id = entry.id and given.version = entry.version
    where entry.workspace_id = ${workspaceId}
      and (
        cardinality(entry.unread) > 0
        or cardinality(entry.gone) > 0
        or (
          ${reader}::text is not null
          and (
            entry.readers #> array[${reader}::text, 'unread'] is distinct from '[]'::jsonb
            or coalesce(entry.readers #> array[${reader}::text, 'gone'], '[]'::jsonb) <> '[]'::jsonb
          )
        )
      )`
  if ((await tx`${unread}`).length === 0) return
  await tx`
    with held as (${unread} for update of entry skip locked)
    update knowledge.entry
    set unread = '{}', gone = '{}', readers = ${withReader(tx, reader)}
    from held
    where entry.workspace_id = ${workspaceId}
      and entry.id = held.id`
}

function withReader(tx: Tx, reader: string | null) {
  if (reader === null) return tx`entry.readers`
  return tx`(
    select jsonb_object_agg(last.caller, last.read)
    from (
      select known.key as caller, known.value as read
      from jsonb_each(
        entry.readers
        || jsonb_build_object(
          ${reader}::text, jsonb_build_object('at', extract(epoch from now()), 'unread', '[]'::jsonb, 'gone', '[]'::jsonb)
        )
      ) as known
      order by (known.value ->> 'at')::float8 desc
      limit ${READERS_MAX}
    ) as last
  )`
}
