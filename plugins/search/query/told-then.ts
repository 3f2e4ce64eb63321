import { DAY_MS, type Tx } from 'mneme/plugin'
import type { DateSpan } from 'text-reader/dates'
import type { EvidenceRequest, EvidenceSource, MemoryEvidence } from '../contract.ts'
import { statedAt } from '../engine/postgres/filters.ts'

/** A longer span, such as a year, tells nothing about any of its memories. */
export const SPAN_MS_MAX = 31 * DAY_MS
/** A text that names a month says little of any day in it. */
const WEEK_MS = 7 * DAY_MS
/** The same holds for a span with more memories than this. */
const MEMORIES_MAX = 60
/** A day with this many memories tells half as much about each as a day with a single one. */
const HALF_RARE = 15

/**
 * Memories of the time that a query names: "What happened on 12 March?" shares no word with them, and no meaning. The fewer there are, the
 * stronger. A memory is of the time of which it was said, of that of its event, and of those that its text names.
 */
export function evidenceOfDates(dates: readonly DateSpan[], now: Date): EvidenceSource[] {
  const spans = dates
    .map(span => untilToday(span, now))
    .filter(({ start, end, isDoubtful }) => !isDoubtful && end.getTime() - start.getTime() <= SPAN_MS_MAX)
  return spans.map(span => ({ id: 'search.dates', evidence: (tx, request) => memoriesOf(tx, request, span) }))
}

/** "Since Monday" has no end, and asks for what was since then. */
function untilToday(span: DateSpan, now: Date): DateSpan {
  const tomorrow = new Date(now.getTime() + DAY_MS)
  return span.start < now && span.end > tomorrow && span.end.getTime() - span.start.getTime() > SPAN_MS_MAX
    ? { ...span, end: tomorrow }
    : span
}

async function memoriesOf(
  tx: Tx,
  { workspaceId, userId }: EvidenceRequest,
  { start, end }: DateSpan,
): Promise<ReadonlyMap<string, MemoryEvidence>> {
  const widest = Math.max(WEEK_MS, end.getTime() - start.getTime())
  const ofUser = userId === undefined ? tx`` : tx`and d.user_id = ${userId}`
  const rows = await tx<{ memory_id: string }[]>`
    select d.memory_id
    from search.document as d
    where d.workspace_id = ${workspaceId}
      and ${statedAt(tx)} >= ${start}
      and ${statedAt(tx)} < ${end}
      and (d.happened_at is null or d.said_at < d.created_at)
      ${ofUser}
    union
    select d.memory_id
    from search.document as d
    where d.workspace_id = ${workspaceId}
      and d.happened_at >= ${start}
      and d.happened_at < ${end}
      ${ofUser}
    union
    select d.memory_id
    from search.told_time as told
    join search.document as d on d.workspace_id = ${workspaceId} and d.memory_id = told.memory_id
    where told.workspace_id = ${workspaceId}
      and told.starts_at > ${new Date(start.getTime() - SPAN_MS_MAX)}
      and told.starts_at < ${end}
      and told.ends_at > ${start}
      and told.ends_at - told.starts_at <= ${widest} * interval '1 millisecond'
      ${ofUser}
    limit ${MEMORIES_MAX + 1}`
  if (rows.length > MEMORIES_MAX) return new Map()
  const strength = 1 / (1 + (rows.length - 1) / HALF_RARE)
  const names = [start.toISOString().slice(0, 10)]
  return new Map(rows.map(({ memory_id: id }) => [id, { strength, names, isOfTime: true }]))
}
