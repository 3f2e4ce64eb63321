import type { Database } from 'mneme/plugin'
import type { WorkspaceEraser } from '../../../workspaces/contract.ts'
import type { SearchServer } from './server.ts'
import { idToken } from './tokens.ts'

/** One run erases this many workspaces; the next run continues. */
const WORKSPACES_MAX = 20
/** Sends that were in flight when the workspace ended are over by then. */
const SECOND_LOOK_SECONDS = 180

/**
 * Records deleted workspaces while an index exists, whether this process uses it or not; a process that uses it removes their documents.
 */
export function createIndexEraser(database: Database): WorkspaceEraser {
  return {
    id: 'search',
    async erase(workspaceId) {
      await database.system(
        tx => tx`
          insert into search.typesense_erasure (erased_workspace)
          select ${workspaceId}::uuid
          where exists (select from search.typesense_index)
          on conflict on constraint typesense_erasure_pk do update
          set erased_at = now(), run_at = now()`,
      )
    },
  }
}

/** Removes deleted workspaces from the collections: at once, and again when no send to them can be in flight. */
export async function eraseWorkspaces(
  database: Database,
  server: SearchServer,
  collections: readonly string[],
): Promise<void> {
  const erased = await database.system(
    tx => tx<{ erased_workspace: string }[]>`
      select typesense_erasure.erased_workspace
      from search.typesense_erasure
      where typesense_erasure.run_at <= now()
      order by typesense_erasure.run_at
      limit ${WORKSPACES_MAX}`,
  )
  for (const { erased_workspace: workspaceId } of erased) {
    for (const collection of collections) await server.remove(collection, `workspace:=${idToken(workspaceId)}`)
    await database.system(async tx => {
      await tx`
        delete from search.typesense_erasure
        where typesense_erasure.erased_workspace = ${workspaceId}
          and typesense_erasure.erased_at < now() - make_interval(secs => ${SECOND_LOOK_SECONDS})`
      await tx`
        update search.typesense_erasure
        set run_at = typesense_erasure.erased_at + make_interval(secs => ${SECOND_LOOK_SECONDS + 1})
        where typesense_erasure.erased_workspace = ${workspaceId}`
    })
  }
}
