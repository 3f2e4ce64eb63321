import { v7 } from 'uuid'
import type { Json } from '../../test/support/client.ts'
import { idleService } from '../../test/support/service.ts'

export const HOUR = 3_600_000
const DAY = 24 * HOUR

/** An id of version 7 of an instant. */
const idAt = (at: Date) => v7({ msecs: at.getTime() })
/** It is past also where it is read within the same millisecond: figures end before the present one. */
export const daysAgo = (days: number, hours = 0) => new Date(Date.now() - days * DAY - hours * HOUR - 1)
export const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** A workspace whose logs are written as they would have been over weeks. */
export async function world() {
  const { account: accountOf, database } = await idleService()
  const account = await accountOf()
  const { workspaceId, client } = account
  const event = (kind: string, at: Date, userId: string | null = 'ada') =>
    database.system(
      tx => tx`
        insert into core.event (workspace_id, id, kind, subject_id, user_id, created_at)
        values (${workspaceId}, ${idAt(at)}, ${kind}, 'x', ${userId}, ${at})`,
    )
  const search = (query: string, at: Date, score: number | null, { mode = 'hybrid', isFiltered = false } = {}) =>
    database.system(
      tx => tx`
        insert into search.query_log (
          workspace_id, id, query, query_hash, mode, is_filtered, results, best_score, duration_ms, words, length, created_at
        )
        values (${workspaceId}, ${idAt(at)}, ${query}, ${query.toLowerCase()}, ${mode}, ${isFiltered}, ${score === null ? 0 : 3}, ${score}, 5, '', 1, ${at})`,
    )
  const usage = (day: Date, metric: string, operation: string, input: number, output = 0) =>
    database.system(
      tx => tx`
        insert into core.usage (workspace_id, hour, metric, operation, input, output)
        values (${workspaceId}, date_trunc('hour', ${day}::timestamptz), ${metric}, ${operation}, ${input}, ${output})
        on conflict (workspace_id, hour, metric, operation) do update set input = excluded.input`,
    )
  const get = async (path: string, query: Record<string, string | number> = {}): Promise<Json> => {
    const { status, body } = await client.get(`/v1/dashboard/${path}`, { query })
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return { ...account, database, event, search, usage, get }
}
