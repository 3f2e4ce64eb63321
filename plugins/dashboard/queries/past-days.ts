import { DAY_MS, insertRows, type Tx } from 'mneme/plugin'

/** Notes days whose categories are to be counted again. It waits for nobody. */
export async function notePastDays(tx: Tx, workspaceId: string, days: readonly string[]): Promise<void> {
  await insertRows(
    tx,
    days,
    day => tx`(${workspaceId}, ${day}::text::date)`,
    values => tx`insert into dashboard.past_day (workspace_id, day) values ${values}`,
  )
}

/** Notes all days from one to another, the latter not included. */
export async function notePastSpan(tx: Tx, workspaceId: string, from: string, until: string): Promise<void> {
  const days: string[] = []
  for (let at = Date.parse(from); at < Date.parse(until); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10))
  await notePastDays(tx, workspaceId, days)
}

/** Takes the first noted days of a workspace; what is noted meanwhile stays. */
export async function takePastDays(tx: Tx, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await tx<{ day: string }[]>`
    with taken as (
      delete from dashboard.past_day
      where past_day.workspace_id = ${workspaceId}
        and past_day.day in (
          select distinct noted.day
          from dashboard.past_day as noted
          where noted.workspace_id = ${workspaceId}
          order by noted.day
          limit ${limit}
        )
      returning past_day.day
    )
    select taken.day::text from taken`
  return [...new Set(rows.map(row => row.day))]
}
