import type { Database, Tx } from '../db/database.ts'
import type { KeyRing } from './key-ring.ts'
import type { SealedPlaceInDatabase } from './sealed-columns.ts'
import { open, seal, sealedPrefix } from './sealing.ts'
import { bindingOf } from './secret-box.ts'

export interface ResealOptions {
  readonly database: Database
  readonly ring: KeyRing
  readonly places: readonly SealedPlaceInDatabase[]
  /** Stops between two batches; finished batches stay, and the next run continues from there. */
  readonly signal: AbortSignal
  /** One transaction takes so many rows; default 200. */
  readonly batch?: number
  /** Called after each batch that changed something. */
  progress?(place: SealedPlaceInDatabase, resealed: number): void
}

export interface ResealResult {
  readonly resealed: number
  /** Lists the first few values that no known key opens, or that were sealed for another row; they stay as they are. */
  readonly unopened: readonly string[]
  /** Tells whether every value that could be opened is under the current key now. */
  readonly complete: boolean
}

const BATCH = 200

/**
 * Another pass meets values that servers with a former key write meanwhile; an endless one would race them for ever.
 */
const PASSES_MAX = 5

/**
 * Seals every value again under the current key, in short transactions of a bounded number of rows. It may run beside
 * servers: a value is replaced only while it is the one that was read. It may be ended at any time and run again, since
 * values under the current key are skipped.
 */
export async function reseal(options: ResealOptions): Promise<ResealResult> {
  const { places, signal } = options
  let resealed = 0
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    let left = 0
    const unopened: string[] = []
    for (const place of places) {
      const walked = await walk(options, place)
      resealed += walked.resealed
      left += walked.changedMeanwhile
      unopened.push(...walked.unopened)
      if (signal.aborted) return { resealed, unopened, complete: false }
    }
    // A pass skips what the last one resealed; only one that met nothing to do has seen everything done.
    if (left === 0) return { resealed, unopened, complete: true }
  }
  return { resealed, unopened: [], complete: false }
}

interface Walked {
  resealed: number
  changedMeanwhile: number
  readonly unopened: string[]
}

async function walk(options: ResealOptions, place: SealedPlaceInDatabase): Promise<Walked> {
  const { database, ring, signal, batch = BATCH, progress } = options
  const walked: Walked = { resealed: 0, changedMeanwhile: 0, unopened: [] }
  let after: readonly string[] | undefined
  while (!signal.aborted) {
    const from = after
    const { rows, fresh, replaced } = await database.system(async tx => {
      const found = (await readBatch(tx, place, ring, from, batch)).map(row => ({
        row,
        fresh: resealedRow(ring, place, row),
      }))
      const fresh = found.flatMap(one => one.fresh ?? [])
      return { rows: found, fresh, replaced: fresh.length > 0 ? await replace(tx, place, fresh) : 0 }
    })
    for (const one of rows) if (!one.fresh) noteUnopened(walked, place, one.row)
    walked.resealed += replaced
    walked.changedMeanwhile += fresh.length - replaced
    if (rows.length > 0) progress?.(place, walked.resealed)
    if (rows.length < batch) break
    after = rows.at(-1)?.row.key
  }
  return walked
}

interface SealedRow {
  readonly key: readonly string[]
  readonly sealed: string
}

type FreshRow = SealedRow & { readonly fresh: string }

function resealedRow(
  ring: KeyRing,
  { plugin, sealed: column }: SealedPlaceInDatabase,
  row: SealedRow,
): FreshRow | undefined {
  const values = Object.fromEntries(column.key.map((name, n) => [name, row.key[n] ?? '']))
  const binding = bindingOf(plugin, column, values)
  try {
    return { ...row, fresh: seal(ring.current, open(ring, row.sealed, binding), binding) }
  } catch {
    return undefined
  }
}

function noteUnopened({ unopened }: Walked, { sealed }: SealedPlaceInDatabase, { key }: SealedRow): void {
  if (unopened.length < UNOPENED_NAMED) unopened.push(`${sealed.table} ${key.join(', ')}`)
}

const UNOPENED_NAMED = 20

/** Reads the next rows, in the order of their key, whose value is not under the current key. */
async function readBatch(
  tx: Tx,
  { sealed, keyTypes }: SealedPlaceInDatabase,
  ring: KeyRing,
  after: readonly string[] | undefined,
  batch: number,
): Promise<SealedRow[]> {
  const keys = sealed.key.map(name => `kept.${quoted(name)}`)
  const column = `kept.${quoted(sealed.column)}`
  const bound = keyTypes.map((type, n) => `$${n + 3}::text::${type}`)
  const rows = await tx.unsafe<{ key: string[]; sealed: string }[]>(
    `select json_build_array(${keys.map(key => `${key}::text`).join(', ')}) as key, ${column} as sealed
     from ${quotedTable(sealed.table)} as kept
     where ${column} is not null
       and not starts_with(${column}, $1)
       ${after ? `and (${keys.join(', ')}) > (${bound.join(', ')})` : ''}
     order by ${keys.join(', ')}
     limit $2`,
    [sealedPrefix(ring.current), batch, ...(after ?? [])],
  )
  return [...rows]
}

/**
 * Writes the resealed values where the value is still the one that was read.
 * @returns how many were
 */
async function replace(
  tx: Tx,
  { sealed, keyTypes }: SealedPlaceInDatabase,
  rows: readonly FreshRow[],
): Promise<number> {
  const matches = sealed.key.map((name, n) => `kept.${quoted(name)} = (fresh.key ->> ${n})::${keyTypes[n]}`)
  const written = await tx.unsafe(
    `update ${quotedTable(sealed.table)} as kept
     set ${quoted(sealed.column)} = fresh.fresh
     from jsonb_to_recordset($1::text::jsonb) as fresh (key jsonb, sealed text, fresh text)
     where ${matches.join(' and ')}
       and kept.${quoted(sealed.column)} = fresh.sealed`,
    [JSON.stringify(rows)],
  )
  return written.count
}

function quotedTable(table: string): string {
  return table.split('.').map(quoted).join('.')
}

/** Names come from manifests, which were checked to hold plain ones. */
function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
