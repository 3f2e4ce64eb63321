import { expect } from 'bun:test'
import type { Database } from '../../core/db/database.ts'
import { examine, release } from '../../core/doctor.ts'

/** Rows that the database refuses to write. */
export interface RefusedRows {
  readonly table: string
  readonly event: 'insert' | 'update' | 'delete'
  /** Each row has one of these values in each of these columns. */
  readonly where: Readonly<Record<string, string | readonly string[]>>
}

/** Has the database refuse some rows, as it does with a damaged page. @returns ends it */
export async function refuseRows(
  database: Database,
  { table, event, where }: RefusedRows,
): Promise<() => Promise<void>> {
  const row = event === 'delete' ? 'old' : 'new'
  const conditions = Object.entries(where).map(
    ([column, values]) => `(${row}.${column})::text in (${[values].flat().map(quoted).join(', ')})`,
  )
  await database.system(tx =>
    tx.unsafe(`
      create or replace function core.refuse_row() returns trigger language plpgsql
      as $$ begin raise exception 'a bad row' using errcode = 'XX001'; end $$;
      create or replace trigger refuse_${event} before ${event} on ${table}
      for each row when (${conditions.join(' and ')}) execute function core.refuse_row()`),
  )
  return async () => {
    await database.system(tx => tx.unsafe(`drop trigger refuse_${event} on ${table}`))
  }
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

/** Tells which rows of a workspace a sweep holds back, as an operator sees it; a whole workspace is the row ''. */
export async function heldRows(database: Database, sweep: string, workspaceId: string): Promise<string[]> {
  return (await findingsOf(database, sweep, workspaceId)).map(id => id.split('/').slice(2).join('/')).toSorted()
}

/** Gives back as an operator what a sweep holds back in a workspace. */
export async function releaseRows(database: Database, sweep: string, workspaceId: string): Promise<void> {
  for (const id of await findingsOf(database, sweep, workspaceId)) await database.system(tx => release(tx, id))
}

async function findingsOf(database: Database, sweep: string, workspaceId: string): Promise<string[]> {
  const { findings } = await database.system(examine)
  return findings
    .filter(finding => finding.kind === 'quarantined' && finding.what === sweep && finding.workspaceId === workspaceId)
    .map(({ id }) => id ?? '')
}

/** A job that looks after items of several workspaces, among them one that it cannot work on. */
export interface SweptBadRow extends RefusedRows {
  readonly database: Database
  /** As operators see it. */
  readonly sweep: string
  /** The workspace of the bad item. */
  readonly workspaceId: string
  /** The bad item's id; '' where it is the workspace. */
  readonly bad: string
  /** The other items, of this workspace and of others. */
  readonly others: readonly string[]
  run(): Promise<unknown>
  /** Tells which of the items are done. */
  done(): Promise<readonly string[]>
  /** Names the bad item among those done; left out, its id. */
  readonly badDone?: string
}

/** Proves that a bad item is held back while all others are done, and is done once an operator gives it back. */
export async function expectOneHeldBack(swept: SweptBadRow): Promise<void> {
  const { database, sweep, workspaceId, bad, badDone = bad, others, run } = swept
  const done = async () => [...(await swept.done())].toSorted()
  expect(await done()).toEqual([])
  const accept = await refuseRows(database, swept)
  try {
    await run()
    expect(await done()).toEqual(others.toSorted())
    expect(await heldRows(database, sweep, workspaceId)).toEqual([bad])
  } finally {
    await accept()
  }
  await run()
  expect(await done()).toEqual(others.toSorted())
  await releaseRows(database, sweep, workspaceId)
  await run()
  expect(await done()).toEqual([...others, badDone].toSorted())
  expect(await heldRows(database, sweep, workspaceId)).toEqual([])
}
