import { DAY_MS, type Tx } from 'mneme/plugin'
import type { DateSpan } from '../analysis/date-span.ts'
import type { EvidenceRequest, EvidenceSource, MemoryEvidence } from '../contract.ts'

/** A longer span, such as a year, tells nothing about any of its memories. */
const SPAN_MAX_MS = 31 * DAY_MS
/** The same holds for a span with more memories than this. */
const MEMORIES_MAX = 60
/** A day with this many memories tells half as much about each as a day with a single one. */
const HALF_RARE = 15

/**
 * Memories of the time that a query names: "What happened on 12 March?" shares no word with them, and no meaning. The fewer there are, the
 * stronger. The time of its event counts for a memory, else that of its creation.
 */
export function evidenceOfDates(dates: readonly DateSpan[]): EvidenceSource[] {
  const spans = dates.filter(
    ({ start, end, isDoubtful }) => !isDoubtful && end.getTime() - start.getTime() <= SPAN_MAX_MS,
  )
  return spans.map(span => ({ id: 'search.dates', evidence: (tx, request) => memoriesOf(tx, request, span) }))
}

async function memoriesOf(
  tx: Tx,
  { workspaceId, userId }: EvidenceRequest,
  { start, end }: DateSpan,
): Promise<ReadonlyMap<string, MemoryEvidence>> {
  const rows = await tx<{ memory_id: string }[]>`
    select document.memory_id
    from search.document
    where document.workspace_id = ${workspaceId}
      and coalesce(document.happened_at, document.created_at) >= ${start}
      and coalesce(document.happened_at, document.created_at) < ${end}
      ${userId === undefined ? tx`` : tx`and document.user_id = ${userId}`}
    limit ${MEMORIES_MAX + 1}`
  if (rows.length > MEMORIES_MAX) return new Map()
  const strength = 1 / (1 + (rows.length - 1) / HALF_RARE)
  const names = [start.toISOString().slice(0, 10)]
  return new Map(rows.map(({ memory_id: id }) => [id, { strength, names }]))
}
