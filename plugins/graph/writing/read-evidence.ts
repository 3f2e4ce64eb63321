import { type Fragment, plainArray, type Tx } from 'mneme/plugin'
import type { RelationType } from '../contract.ts'
import type { Triple } from '../resolve/move-mentions.ts'
import type { Evidence } from './evidence.ts'
import { earliest } from './statement-times.ts'

interface EvidenceRow {
  id: string
  memory_id: string
  source_id: string
  target_id: string
  type: RelationType
  confidence: number
  closes: boolean
  valid_from: Date | null
  valid_to: Date | null
  stated_at: Date
  effective_at: Date | null
  is_concurrent: boolean
  only_ends: boolean
  edge_id: string | null
}

function columns(tx: Tx) {
  return tx`
    evidence.id, evidence.memory_id, evidence.source_id, evidence.target_id, evidence.type, evidence.confidence,
    evidence.closes, evidence.valid_from, evidence.valid_to, evidence.stated_at, evidence.effective_at, evidence.is_concurrent,
    evidence.only_ends, evidence.edge_id`
}

function toEvidence(row: EvidenceRow): Evidence {
  return {
    id: row.id,
    memoryId: row.memory_id,
    sourceId: row.source_id,
    targetId: row.target_id,
    type: row.type,
    confidence: row.confidence,
    closes: row.closes,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    statedAt: row.stated_at,
    effectiveAt: row.effective_at,
    isConcurrent: row.is_concurrent,
    onlyEnds: row.only_ends,
    edgeId: row.edge_id,
  }
}

/** Evidence that was read, and the relationships of which some was left out because there is too much of it. */
export interface ReadEvidence {
  readonly evidence: readonly Evidence[]
  readonly partial: ReadonlySet<string>
  /** Those of them that only the oldest statements speak of: what came next was left out. */
  readonly superseded: ReadonlySet<string>
  /** When the oldest statement about a relationship was made, of those that were read by themselves. */
  readonly begins: ReadonlyMap<string, Date>
}

/** Names a relationship. */
export function tripleKey({ type, sourceId, targetId }: Triple): string {
  return `${type} ${sourceId} ${targetId}`
}

/** Evidence of some sources and types, whatever the target: of each at most `max` statements, see {@link bounded}. */
export async function evidenceOfSources(
  tx: Tx,
  workspaceId: string,
  sources: readonly Pick<Triple, 'sourceId' | 'type'>[],
  max: number,
): Promise<ReadEvidence> {
  if (sources.length === 0) return NOTHING
  const own = tx`evidence.source_id = wanted.source_id and evidence.type = wanted.type`
  const rows = await tx<ReadRow[]>`
    select ${columns(tx)}, ${isPartial(tx, max)}
    from (
      select distinct source_id, type
      from jsonb_to_recordset(${triplesJson(sources)}::text::jsonb) as given (source_id uuid, type text)
    ) as wanted
    cross join lateral ${bounded(tx, workspaceId, own, max)} as evidence`
  return toRead(rows)
}

/** Evidence of some relationships: of each at most `max` statements. */
export async function evidenceOfTriples(
  tx: Tx,
  workspaceId: string,
  triples: readonly Triple[],
  max: number,
): Promise<ReadEvidence> {
  if (triples.length === 0) return NOTHING
  const own = tx`
    evidence.source_id = wanted.source_id and evidence.target_id = wanted.target_id and evidence.type = wanted.type`
  const rows = await tx<ReadRow[]>`
    select ${columns(tx)}, ${isPartial(tx, max)}
    from ${wantedTriples(tx, triples)}
    cross join lateral ${bounded(tx, workspaceId, own, max)} as evidence`
  const read = toRead(rows)
  const byTriple = Map.groupBy(read.evidence, tripleKey)
  const begins = [...byTriple].flatMap(([key, all]) => {
    const begin = earliest(all.map(one => one.statedAt))
    return begin ? [[key, begin] as const] : []
  })
  return { ...read, begins: new Map(begins) }
}

/** Evidence of a type about some entities, at either end: of each end at most `max` statements. */
export async function evidenceAround(
  tx: Tx,
  workspaceId: string,
  type: RelationType,
  entityIds: readonly string[],
  max: number,
): Promise<ReadEvidence> {
  if (entityIds.length === 0) return NOTHING
  const side = (end: Fragment) => tx`
    select ${columns(tx)}, ${isPartial(tx, max)}
    from unnest(${plainArray([...new Set(entityIds)])}::uuid[]) as wanted (id)
    cross join lateral ${bounded(tx, workspaceId, tx`evidence.type = ${type} and ${end} = wanted.id`, max)} as evidence`
  const rows = await tx<ReadRow[]>`
    ${side(tx`evidence.source_id`)}
    union all
    ${side(tx`evidence.target_id`)}`
  return toRead(rows)
}

/**
 * The statements under one condition: where there are more than `max`, half of that of the oldest and half of the newest, which say since when
 * it holds and what holds now. Both ends are read from an index and one statement more tells that the ends do not meet, so a text
 * repeated a hundred thousand times costs each further one no more than this.
 */
function bounded(tx: Tx, workspaceId: string, condition: Fragment, max: number): Fragment {
  const half = halfOf(max)
  const own = tx`
    select ${columns(tx)}
    from graph.evidence
    where evidence.workspace_id = ${workspaceId}
      and ${condition}`
  return tx`(
    select known.*
    from (
      select ends.*, count(*) over () as total, row_number() over (order by ends.stated_at, ends.id) as place
      from (
        (${own} order by evidence.stated_at, evidence.id limit ${half})
        union
        (${own} order by evidence.stated_at desc, evidence.id desc limit ${half + 1})
      ) as ends
    ) as known
    where known.total <= ${2 * half}
      or known.place <= ${half}
      or known.place > known.total - ${half}
  )`
}

function halfOf(max: number): number {
  return Math.ceil(max / 2)
}

interface ReadRow extends EvidenceRow {
  is_partial: boolean
  is_newest: boolean
}

function isPartial(tx: Tx, max: number): Fragment {
  return tx`
    evidence.total > ${2 * halfOf(max)} as is_partial,
    evidence.place > evidence.total - ${halfOf(max)} as is_newest`
}

export const NOTHING: ReadEvidence = { evidence: [], partial: new Set(), superseded: new Set(), begins: new Map() }

function toRead(rows: readonly ReadRow[]): ReadEvidence {
  const evidence = new Map(rows.map(row => [row.id, toEvidence(row)]))
  const keysOf = (some: readonly ReadRow[]) => new Set(some.map(row => tripleKey(toEvidence(row))))
  const partial = keysOf(rows.filter(row => row.is_partial))
  const newest = keysOf(rows.filter(row => row.is_newest))
  return { ...NOTHING, evidence: [...evidence.values()], partial, superseded: partial.difference(newest) }
}

/** Puts together what was read by several statements, each piece of evidence once. */
export function together(...reads: readonly ReadEvidence[]): ReadEvidence {
  const evidence = new Map(reads.flatMap(read => read.evidence.map(one => [one.id, one] as const)))
  const all = (keys: 'partial' | 'superseded') => new Set(reads.flatMap(read => [...read[keys]]))
  const begins = new Map(reads.flatMap(read => [...read.begins]))
  return { evidence: [...evidence.values()], partial: all('partial'), superseded: all('superseded'), begins }
}

/** Some relationships, each once, as `wanted` in a from clause. */
export function wantedTriples(tx: Tx, triples: readonly Triple[]): Fragment {
  return tx`
    (
      select distinct source_id, target_id, type
      from jsonb_to_recordset(${triplesJson(triples)}::text::jsonb) as given (source_id uuid, target_id uuid, type text)
    ) as wanted`
}

function triplesJson(triples: readonly (Omit<Triple, 'targetId'> & Partial<Triple>)[]): string {
  return JSON.stringify(
    triples.map(({ sourceId, targetId, type }) => ({ source_id: sourceId, target_id: targetId, type })),
  )
}
