import type { Database } from 'mneme/plugin'
import type { IndexedStamps } from './documents.ts'
import { vectorsOf } from './schema.ts'
import type { SearchServer } from './server.ts'
import { idOfToken, idToken } from './tokens.ts'

export interface StampParts {
  readonly database: Database
  readonly server: SearchServer
  /** The alias of the index. */
  readonly index: string
  /** In place of {@link PAGE}, for tests. */
  readonly page?: number
}

/** An export carries about this many memories, so that it always ends within the time of a request. */
const PAGE = 5000

/** Reads the stamps of a workspace's memories in the index, in exports by the times of creation, which the server can filter by. */
export async function stampsOfWorkspace(parts: StampParts, workspaceId: string): Promise<Map<string, IndexedStamps>> {
  const stamps = new Map<string, IndexedStamps>()
  for (const range of await ranges(parts, workspaceId)) {
    const filter = [`workspace:=${idToken(workspaceId)}`, ...range].join(' && ')
    for (const [id, found] of await stampsInIndex(parts, filter)) stamps.set(id, found)
  }
  return stamps
}

/** Reads the stamps of memories in the index that pass a filter. */
export async function stampsInIndex(
  { server, index }: Pick<StampParts, 'server' | 'index'>,
  filter: string,
): Promise<Map<string, IndexedStamps>> {
  const stamps = new Map<string, IndexedStamps>()
  for (const kind of ['words', 'vectors'] as const) {
    const collection = kind === 'words' ? index : vectorsOf(index)
    for (const { memory, stamp } of await server.stamps(collection, filter)) {
      const id = idOfToken(memory)
      if (id !== undefined) stamps.set(id, { ...stamps.get(id), [kind]: String(stamp) })
    }
  }
  return stamps
}

/** Divides all time, as conditions of a filter, so that the database has about a page of the workspace's memories in each part. */
async function ranges({ database, page = PAGE }: StampParts, workspaceId: string): Promise<string[][]> {
  const rows = await database.system(
    tx => tx<{ bound: Date }[]>`
      select distinct numbered.created_at as bound
      from (
        select document.created_at, row_number() over (order by document.created_at) as number
        from search.document
        where document.workspace_id = ${workspaceId}
      ) as numbered
      where numbered.number % ${page}::int = 0
      order by bound`,
  )
  const bounds = rows.map(({ bound }) => bound.getTime())
  return [undefined, ...bounds].map((from, n) => {
    const to = bounds[n]
    return [...(from === undefined ? [] : [`created_at:>=${from}`]), ...(to === undefined ? [] : [`created_at:<${to}`])]
  })
}
