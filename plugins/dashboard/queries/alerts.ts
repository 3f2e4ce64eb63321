import { insertRows, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'

export type AlertType =
  | 'QUOTA_WARNING'
  | 'SEARCH_QUALITY_DROP'
  | 'ZERO_RESULT_SPIKE'
  | 'PROCESSING_FAILURES'
  | 'PROCESSING_BACKLOG'
  | 'WEBHOOK_FAILING'

/** Lists the present alerts. One type and subject has one alert until it is over. */
export interface Trouble {
  readonly type: AlertType
  readonly subject: string
  readonly severity: 'INFO' | 'WARNING' | 'CRITICAL'
  readonly title: string
  readonly message: string
}

export interface AlertRow extends Trouble {
  readonly id: string
  readonly created_at: Date
  readonly resolved_at: Date | null
}

/** Raises what is new, brings up to date what lasts, and resolves what is over. */
export async function settleAlerts(tx: Tx, workspaceId: string, troubles: readonly Trouble[]): Promise<void> {
  const rows = troubles.map(trouble => ({ id: v7(), ...trouble }))
  await tx`
    update dashboard.alert
    set resolved_at = now(), updated_at = now()
    where alert.workspace_id = ${workspaceId}
      and alert.resolved_at is null
      and not exists (
        select
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as now_there (type text, subject text)
        where now_there.type = alert.type and now_there.subject = alert.subject
      )`
  await insertRows(
    tx,
    rows,
    row => tx`(${workspaceId}, ${row.id}, ${row.type}, ${row.subject}, ${row.severity}, ${row.title}, ${row.message})`,
    values => tx`
      insert into dashboard.alert (workspace_id, id, type, subject, severity, title, message)
      values ${values}
      on conflict (workspace_id, type, subject) where resolved_at is null do update
      set severity = excluded.severity, title = excluded.title, message = excluded.message, updated_at = excluded.updated_at`,
  )
}

export async function openAlerts(tx: Tx, workspaceId: string): Promise<Pick<Trouble, 'type' | 'subject'>[]> {
  return tx<Pick<Trouble, 'type' | 'subject'>[]>`
    select alert.type, alert.subject
    from dashboard.alert
    where alert.workspace_id = ${workspaceId} and alert.resolved_at is null`
}

/** Alerts that last, whenever they were raised, then those raised in a period that are over. */
export async function listAlerts(
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
  limit: number,
): Promise<AlertRow[]> {
  const columns = tx`
    alert.id, alert.type, alert.subject, alert.severity, alert.title, alert.message, alert.created_at, alert.resolved_at`
  return tx<AlertRow[]>`
    select listed.*
    from (
      (
        select ${columns}
        from dashboard.alert
        where alert.workspace_id = ${workspaceId} and alert.resolved_at is null
        order by alert.created_at desc, alert.id desc
        limit ${limit}
      )
      union all
      (
        select ${columns}
        from dashboard.alert
        where alert.workspace_id = ${workspaceId}
          and alert.resolved_at is not null
          and alert.created_at >= ${from}
          and alert.created_at < ${to}
        order by alert.created_at desc, alert.id desc
        limit ${limit}
      )
    ) as listed
    order by (listed.resolved_at is null) desc, listed.created_at desc, listed.id desc
    limit ${limit}`
}
