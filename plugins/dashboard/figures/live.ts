import { HOUR_MS, type Tx } from 'mneme/plugin'
import type { SpanFigures } from '../queries/days.ts'
import type { DashboardScope } from '../scope.ts'
import { hourOf, partOf, placeIn, type Spans } from './period.ts'
import { loggedHours, usedHours } from './roll-up.ts'

/** A part of a span, `to` excluded. */
interface Part {
  readonly span: number
  readonly from: Date
  readonly to: Date
}

/**
 * Figures of spans from the logs themselves, from where roll-ups end: an hour and a minute at most. Events and searches are known by the
 * instant; usage is counted by the hour, so of what was used in it until now the share in time counts.
 */
export async function liveFigures(
  scope: DashboardScope,
  tx: Tx,
  workspaceId: string,
  metrics: readonly string[],
  spans: Spans,
  rolledTo: Date,
  now: Date,
): Promise<SpanFigures[]> {
  const parts = partsFrom(rolledTo, new Date(now.getTime() + HOUR_MS), spans)
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return []
  const [logged, used] = await Promise.all([
    Promise.all(parts.map(({ from, to }) => loggedHours(scope, tx, workspaceId, metrics, from, to))),
    usedHours(scope, tx, workspaceId, metrics, hourOf(first.from), last.to),
  ])
  return parts.flatMap((part, n) => [
    ...(logged[n] ?? []).map(({ hour: _, ...figures }) => ({ ...figures, span: part.span })),
    ...used.map(({ hour, ...figures }) => {
      const [from, to] = sharesOf(part, hour, now)
      return {
        ...figures,
        span: part.span,
        count: partOf(figures.count, from, to),
        output: partOf(figures.output, from, to),
      }
    }),
  ])
}

/** Cuts what spans have between two instants where one ends and the next begins. */
function partsFrom(first: Date, last: Date, spans: Spans): Part[] {
  const [start = spans.end] = spans.starts
  const from = start > first ? start : first
  const to = spans.end < last ? spans.end : last
  if (from >= to) return []
  const edges = [from, ...spans.starts.filter(edge => from < edge && edge < to), to]
  return edges.slice(1).map((edge, n) => {
    const begin = edges[n] ?? edge
    return { span: placeIn(spans, begin), from: begin, to: edge }
  })
}

/** The shares of an hour, up to now where it is not over, that lie before a part and before its end. */
function sharesOf({ from, to }: Part, hour: Date, now: Date): readonly [number, number] {
  const begun = hour.getTime()
  const length = Math.max(1, Math.min(HOUR_MS, now.getTime() - begun))
  const shareAt = (instant: Date) => Math.min(1, Math.max(0, (instant.getTime() - begun) / length))
  return [shareAt(from), shareAt(to)]
}
