import { insertRows, type Tx } from 'mneme/plugin'
import type { CategoryCount } from '../../memories/contract.ts'
import type { RollUpMode } from './progress.ts'

/** So many categories are kept of a day and shown of a period; memories of the others are counted together. */
export const CATEGORIES_KEPT = 200

const UNCATEGORIZED = 'uncategorized'
/** No category is blank. */
const OTHERS = ' '

/** Puts the categories of a day in place of those that were there. */
export async function replaceCategories(
  tx: Tx,
  workspaceId: string,
  day: string,
  counts: readonly CategoryCount[],
  mode: RollUpMode,
): Promise<void> {
  if (mode === 'replaced') {
    await tx`
      delete from dashboard.category_day
      where category_day.workspace_id = ${workspaceId} and category_day.day = ${day}::date`
  }
  if (counts.length === 0) return
  await insertRows(
    tx,
    rowsOf(counts),
    ({ category, count }) => tx`(${workspaceId}, ${day}::date, ${category}, ${count})`,
    values => tx`
      insert into dashboard.category_day (workspace_id, day, category, count)
      values ${values}
      on conflict (workspace_id, day, category) do update
      set count = greatest(category_day.count, excluded.count)`,
  )
}

/** Reads the largest categories of days, both included, together with counts that are not rolled up yet. */
export async function readCategories(
  tx: Tx,
  workspaceId: string,
  days: { readonly from: string; readonly to: string },
  live: readonly CategoryCount[],
): Promise<{ readonly name: string; readonly count: number; readonly total: number }[]> {
  return tx<{ name: string; count: number; total: number }[]>`
    select known.name, known.count, known.total
    from (
      select
        coalesce(nullif(part.category, ''), ${UNCATEGORIZED}) as name, sum(part.count)::int as count,
        (sum(sum(part.count)) over ())::int as total
      from (
        select category_day.category, category_day.count
        from dashboard.category_day
        where category_day.workspace_id = ${workspaceId}
          and category_day.day between ${days.from}::date and ${days.to}::date
        union all
        select live.category, live.count
        from jsonb_to_recordset(${JSON.stringify(rowsOf(live))}::text::jsonb) as live (category text, count integer)
      ) as part
      group by 1
    ) as known
    where known.name <> ${OTHERS}
    order by known.count desc, known.name collate "C"
    limit ${CATEGORIES_KEPT}`
}

/** Memories without a category are kept under an empty name, which no category has either. */
function rowsOf(counts: readonly CategoryCount[]) {
  return counts.map(({ category, isOthers, count }) => ({ category: isOthers ? OTHERS : (category ?? ''), count }))
}
