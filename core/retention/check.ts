import type { Database } from '../db/database.ts'
import { messageOf } from '../failure-reason.ts'
import type { AnyPlugin } from '../plugin.ts'
import type { MountedRetention } from './retention.ts'

/**
 * Says what is wrong with a plugin's retentions as they stand in its manifest, one sentence each. `schema` is the
 * plugin's own.
 */
export function retentionFaults(plugin: AnyPlugin, schema: string): string[] {
  const seen = new Set<string>()
  return (plugin.retention ?? []).flatMap(retention => {
    const { table, column, keepMs, environment, workspaceSetting } = retention
    const faults: string[] = []
    const fault = (text: string) => void faults.push(`plugin ${plugin.id}: the retention of ${table} ${text}`)
    if (!table.startsWith(`${schema}.`)) fault(`must name a table of its own schema, as ${schema}.<table>`)
    if (keepMs === undefined && environment === undefined && workspaceSetting === undefined)
      fault('says nowhere how long: give keepMs, environment or workspaceSetting')
    if (environment !== undefined && !(environment in (plugin.config?.properties ?? {})))
      fault(`goes by the setting ${environment}, which its config does not have`)
    if (seen.has(`${table}.${column}`)) fault(`by ${column} is declared twice`)
    seen.add(`${table}.${column}`)
    return faults
  })
}

/**
 * Asks the database about each, since only it knows tables and conditions: a retention that cannot be carried out ends
 * the start and not, unseen, an hour later.
 */
export async function checkRetentions(database: Database, retentions: readonly MountedRetention[]): Promise<void> {
  for (const { owner, retention } of retentions) {
    const { table, column, columnType = 'timestamptz', where, removal } = retention
    try {
      await database.system(tx => {
        const condition = where === undefined ? '' : `and (${where.replaceAll(':before', 'now()')})`
        const probe = columnType === 'uuidv7' ? 'gen_random_uuid()' : 'now()'
        const key = removal ? `item.${removal.key}::text` : 'item.ctid::text'
        return tx.unsafe(`
          explain select ${key} from ${table} as item
          where item.workspace_id = gen_random_uuid() and item.${column} < ${probe} ${condition}`)
      })
    } catch (error) {
      const reason = messageOf(error)
      throw new Error(`plugin ${owner}: the retention of ${table} by ${column} cannot be carried out: ${reason}`, {
        cause: error,
      })
    }
  }
}
