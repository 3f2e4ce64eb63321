import { type Fragment, HOUR_MS, insertRows, plainArray, type Tx, textArray } from 'mneme/plugin'
import { cutsOf, midnightOf, type Spans } from '../figures/period.ts'

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

/**
 * Stores the figures of hours in `[from, to)`: repeating it changes nothing. Where an hour has more already, that stays, since a log is
 * purged from its beginning on and nothing of an hour becomes less otherwise.
 *
 * @param from the beginning of an hour, as `to`
 */
export async function raiseHours(
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
  hours: readonly HourFigures[],
): Promise<void> {
  const first = midnightOf(from)
  const most = new Map<string, HourFigures>()
  for (const figures of [...(await readHours(tx, workspaceId, first, to)), ...hours]) {
    const key = `${figures.metric} ${figures.operation} ${figures.hour.getTime()}`
    const known = most.get(key)
    if (!known || figures.count + figures.output >= known.count + known.output) most.set(key, figures)
  }
  await tx`
    delete from dashboard.day
    where day.workspace_id = ${workspaceId} and day.day >= ${first} and day.day < ${to}`
  if (most.size === 0) return
  const sums = (values: readonly number[] | null) => (values === null ? null : plainArray(values))
  await insertRows(
    tx,
    daysFrom([...most.values()]),
    given => tx`(
      ${workspaceId}, ${given.metric}, ${given.operation}, ${given.day}, ${given.count}, ${given.output}, ${given.zero}, ${given.scored},
      ${given.scoreSum}, ${sums(given.countBy)}::text::bigint[], ${sums(given.outputBy)}::text::bigint[], ${sums(given.zeroBy)}::text::integer[],
      ${sums(given.scoredBy)}::text::integer[], ${sums(given.scoreSumBy)}::text::double precision[]
    )`,
    values => tx`
      insert into dashboard.day (
        workspace_id, metric, operation, day, count, output, zero, scored, score_sum, count_by, output_by, zero_by, scored_by,
        score_sum_by
      )
      values ${values}`,
  )
}

/** Reads the hours of whole days, as far as something was counted in them. */
async function readHours(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<HourFigures[]> {
  const within = (sums: string) => tx`coalesce(day.${tx(sums)}[place.n + 1], 0) - coalesce(day.${tx(sums)}[place.n], 0)`
  return tx<HourFigures[]>`
    select hourly.*
    from (
      select
        day.metric, day.operation, day.day + place.n * interval '1 hour' as hour, (${within('count_by')})::float8 as count,
        (${within('output_by')})::float8 as output, ${within('zero_by')} as zero, ${within('scored_by')} as scored,
        ${within('score_sum_by')} as "scoreSum"
      from dashboard.day
      cross join generate_series(0, ${HOURS - 1}::int) as place (n)
      where day.workspace_id = ${workspaceId} and day.day >= ${from} and day.day < ${to}
    ) as hourly
    where hourly.count + hourly.output > 0`
}

const HOURS = 24

/** Sums hours up to days, with what had been counted by the end of each hour. */
function daysFrom(hours: readonly HourFigures[]) {
  const days = Map.groupBy(
    hours,
    ({ metric, operation, hour }) => `${metric} ${operation} ${midnightOf(hour).getTime()}`,
  )
  return [...days.values()].flatMap(own => {
    const [first] = own
    if (!first) return []
    const day = midnightOf(first.hour)
    const running = (figure: (hour: HourFigures) => number) => {
      const byHour = new Map(own.map(hour => [(hour.hour.getTime() - day.getTime()) / HOUR_MS, figure(hour)]))
      const sums: number[] = []
      let sum = 0
      for (let hour = 0; hour < HOURS; hour++) {
        sum += byHour.get(hour) ?? 0
        sums.push(sum)
      }
      return { sum, sums: sum === 0 ? null : sums }
    }
    const count = running(hour => hour.count)
    const output = running(hour => hour.output)
    const zero = running(hour => hour.zero)
    const scored = running(hour => hour.scored)
    const scoreSum = running(hour => hour.scoreSum)
    return [
      {
        metric: first.metric,
        operation: first.operation,
        day: day.toISOString(),
        count: count.sum,
        output: output.sum,
        zero: zero.sum,
        scored: scored.sum,
        scoreSum: scoreSum.sum,
        countBy: count.sums,
        outputBy: output.sums,
        zeroBy: zero.sums,
        scoredBy: scored.sums,
        scoreSumBy: scoreSum.sums,
      },
    ]
  })
}

/**
 * Sums some metrics up over spans of time. A day counts for the span in which it begins; what lies behind an edge within it is then
 * taken from there and given to the next. Of an hour that is cut its share in time counts, so that spans in a row add up to the whole.
 *
 * @param operations whether what tokens were used for is told apart
 */
export async function readSpans(
  tx: Tx,
  workspaceId: string,
  metrics: readonly string[],
  spans: Spans,
  operations: 'apart' | 'together',
): Promise<SpanFigures[]> {
  const [first] = spans.starts
  if (!first || first >= spans.end) return []
  const starts = spans.starts.filter(start => start < spans.end)
  const wanted = tx`day.metric = any (${textArray(metrics)}::text[])`
  const operation = operations === 'apart' ? tx`day.operation` : tx`''`
  return tx<SpanFigures[]>`
    select
      part.span, part.metric, part.operation, sum(part.count)::float8 as count, sum(part.output)::float8 as output,
      sum(part.zero)::float8 as zero, sum(part.scored)::float8 as scored, sum(part.score_sum)::float8 as "scoreSum"
    from (
      select
        width_bucket(day.day, ${textArray(starts.map(start => start.toISOString()))}::timestamptz[]) - 1 as span,
        day.metric, ${operation} as operation, day.count, day.output, day.zero, day.scored, day.score_sum
      from dashboard.day
      where day.workspace_id = ${workspaceId} and ${wanted} and day.day >= ${midnightOf(first)} and day.day < ${spans.end}
      union all
      select
        cut.span + side.shift, day.metric, ${operation},
        side.sign * (day.count - ${cutAt(tx, 'count_by')}),
        side.sign * (day.output - ${cutAt(tx, 'output_by')}),
        side.sign * (day.zero - ${cutAt(tx, 'zero_by')}),
        side.sign * (day.scored - ${cutAt(tx, 'scored_by')}),
        side.sign * (day.score_sum - ${scoreCutAt(tx)})
      from jsonb_to_recordset(${JSON.stringify(cutsOf({ starts, end: spans.end }))}::text::jsonb) as cut (
        span integer, day timestamptz, hour integer, share double precision
      )
      cross join (values (0, 1), (-1, -1)) as side (shift, sign)
      join dashboard.day on day.day = cut.day
      where day.workspace_id = ${workspaceId} and ${wanted}
    ) as part
    where part.span >= 0 and part.span < ${starts.length}
    group by part.span, part.metric, part.operation`
}

/** Counts what a day had by a cut: its hours before that, and a whole number as the share of the hour that is cut. */
function cutAt(tx: Tx, sums: string) {
  const before = tx`coalesce(day.${tx(sums)}[cut.hour], 0)`
  return tx`(${before} + ${shareOf(tx, tx`coalesce(day.${tx(sums)}[cut.hour + 1], 0) - ${before}`)})`
}

/** The same for the scores of the searches that {@link cutAt} counts. */
function scoreCutAt(tx: Tx) {
  const before = (sums: string) => tx`coalesce(day.${tx(sums)}[cut.hour], 0)`
  const within = (sums: string) => tx`(coalesce(day.${tx(sums)}[cut.hour + 1], 0) - ${before(sums)})`
  return tx`(
    ${before('score_sum_by')}
    + coalesce(${within('score_sum_by')} * ${shareOf(tx, within('scored_by'))} / nullif(${within('scored_by')}, 0), 0)
  )`
}

/** Rounds a half up, as is done with what is not rolled up yet. */
function shareOf(tx: Tx, hour: Fragment) {
  return tx`floor((${hour}) * cut.share + 0.5)`
}

/** The first day that has figures. */
export async function firstDay(tx: Tx, workspaceId: string): Promise<Date | undefined> {
  const [row] = await tx<{ day: Date }[]>`
    select day.day
    from dashboard.day
    where day.workspace_id = ${workspaceId}
    order by day.day
    limit 1`
  return row?.day
}
