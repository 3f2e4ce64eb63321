import { type Tx, textArray } from 'mneme/plugin'
import { edgeDaysOf, midnightOf, placeIn, type Spans } from '../figures/period.ts'

/** Sums up an hour or a span of time. A metric fills the figures that it has; the others are 0. */
export interface Figures {
  /** A kind of event, `searches`, `requests` or `tokens`. */
  readonly metric: string
  /** Tells what tokens were used for; empty for other metrics. */
  readonly operation: string
  /** Events, searches, requests, or tokens read. */
  readonly count: number
  /** Tokens written. */
  readonly output: number
  /** Searches without a result, those with one, and the sum of the scores of their first results. */
  readonly zero: number
  readonly scored: number
  readonly scoreSum: number
}

export interface HourFigures extends Figures {
  /** Its first instant. */
  readonly hour: Date
}

export interface SpanFigures extends Figures {
  /** The place of its span among those asked for, from 0. */
  readonly span: number
}

/** No kind of event has a name without a dot. */
export const SEARCHES = 'searches'
export const REQUESTS = 'requests'
export const TOKENS = 'tokens'

const HOUR_MS = 3_600_000

/**
 * Puts the figures of `[from, to)` in place of what was there: repeating it changes nothing.
 *
 * @param from the beginning of a day (UTC)
 */
export async function replaceDays(
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
  hours: readonly HourFigures[],
): Promise<void> {
  await tx`
    delete from dashboard.day
    where day.workspace_id = ${workspaceId} and day.day >= ${from} and day.day < ${to}`
  if (hours.length === 0) return
  await tx`
    insert into dashboard.day (
      workspace_id, metric, operation, day, count, output, zero, scored, score_sum, hours
    )
    select
      ${workspaceId}::uuid, given.metric, given.operation, date_trunc('day', given.hour, 'UTC'), sum(given.count),
      sum(given.output), sum(given.zero), sum(given.scored), sum(given."scoreSum"),
      jsonb_agg(
        jsonb_build_array(
          extract(hour from given.hour at time zone 'UTC')::int, given.count, given.output, given.zero, given.scored,
          given."scoreSum"
        )
      )
    from jsonb_to_recordset(${JSON.stringify(hours)}::text::jsonb) as given (
      metric text, operation text, hour timestamptz, count bigint, output bigint, zero integer, scored integer,
      "scoreSum" double precision
    )
    group by given.metric, given.operation, 4`
}

/** Sums some metrics up over spans of time: days that lie in one span as a whole, the others by their hours. */
export async function readSpans(
  tx: Tx,
  workspaceId: string,
  metrics: readonly string[],
  spans: Spans,
): Promise<SpanFigures[]> {
  const [first] = spans.starts
  if (!first || first >= spans.end) return []
  const edges = textArray(edgeDaysOf(spans).map(day => day.toISOString()))
  const wanted = tx`
    day.metric = any (${textArray(metrics)}::text[])
    and day.day >= ${midnightOf(first)}
    and day.day < ${spans.end}`
  const [whole, cut] = await Promise.all([
    tx<SpanFigures[]>`
      select
        width_bucket(day.day, ${textArray(spans.starts.map(start => start.toISOString()))}::timestamptz[]) - 1 as span,
        day.metric, day.operation, sum(day.count)::float8 as count, sum(day.output)::float8 as output,
        sum(day.zero)::float8 as zero, sum(day.scored)::float8 as scored, sum(day.score_sum) as "scoreSum"
      from dashboard.day
      where day.workspace_id = ${workspaceId} and ${wanted} and day.day <> all (${edges}::timestamptz[])
      group by 1, day.metric, day.operation`,
    tx<CutDay[]>`
      select day.metric, day.operation, day.day, day.hours
      from dashboard.day
      where day.workspace_id = ${workspaceId} and ${wanted} and day.day = any (${edges}::timestamptz[])`,
  ])
  return [...whole, ...cut.flatMap(day => hoursIn(day, spans))]
}

interface CutDay {
  readonly metric: string
  readonly operation: string
  readonly day: Date
  readonly hours: readonly (readonly [number, number, number, number, number, number])[]
}

/** An hour belongs to the span in which it begins; where the first or the last one cuts it, its share in time counts. */
function hoursIn({ metric, operation, day, hours }: CutDay, spans: Spans): SpanFigures[] {
  return hours.flatMap(([hour, count, output, zero, scored, scoreSum]) => {
    const at = new Date(day.getTime() + hour * HOUR_MS)
    const share = shareWithin(spans, at)
    if (share === 0) return []
    const part = (figure: number) => Math.round(figure * share)
    const figures = { count: part(count), output: part(output), zero: part(zero), scored: part(scored) }
    return [
      {
        span: placeIn(spans, at),
        metric,
        operation,
        ...figures,
        scoreSum: scored > 0 ? (scoreSum * figures.scored) / scored : 0,
      },
    ]
  })
}

/** Returns how much of an hour lies between the first instant of spans and their end, from 0 to 1. */
function shareWithin({ starts, end }: Spans, hour: Date): number {
  const [first] = starts
  if (!first) return 0
  const from = Math.max(hour.getTime(), first.getTime())
  const to = Math.min(hour.getTime() + HOUR_MS, end.getTime())
  return Math.max(0, to - from) / HOUR_MS
}
