import type { Tx } from 'mneme/plugin'
import type { RollUpMode } from './progress.ts'

/**
 * Puts the categories of a day in place of those that were there.
 *
 * @param mode `added`: a day that has some keeps them, since memories may have changed after it
 */
export async function replaceCategories(
  tx: Tx,
  workspaceId: string,
  day: string,
  rows: readonly { readonly category: string | null; readonly count: number }[],
  mode: RollUpMode,
): Promise<void> {
  if (mode === 'added') {
    const [known] = await tx`
      select
      from dashboard.category_day
      where category_day.workspace_id = ${workspaceId} and category_day.day = ${day}::date
      limit 1`
    if (known) return
  } else {
    await tx`
      delete from dashboard.category_day
      where category_day.workspace_id = ${workspaceId} and category_day.day = ${day}::date`
  }
  if (rows.length === 0) return
  await tx`
    insert into dashboard.category_day (workspace_id, day, category, count)
    select ${workspaceId}::uuid, ${day}::date, coalesce(new.category, ''), new.count
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (category text, count integer)`
}

export async function readCategories(
  tx: Tx,
  workspaceId: string,
  from: string,
  to: string,
): Promise<{ category: string; count: number }[]> {
  return tx<{ category: string; count: number }[]>`
    select category_day.category, sum(category_day.count)::int as count
    from dashboard.category_day
    where category_day.workspace_id = ${workspaceId}
      and category_day.day between ${from}::date and ${to}::date
    group by category_day.category`
}
