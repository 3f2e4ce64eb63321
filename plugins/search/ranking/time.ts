import { Type } from '@sinclair/typebox'
import { DAY_MS } from 'mneme/plugin'
import type { DateSpan } from 'text-reader/dates'
import type { Question } from '../analysis/traits.ts'
import type { Candidate } from '../engine/engine.ts'
import type { Signal } from './signal.ts'

export const time: Signal = {
  id: 'time',
  weight: 1,
  neutral: 1,
  of:
    ({ question, connections }) =>
    candidate =>
      connections?.get(candidate.memoryId)?.isOfTime ? 1 + WEIGHT : timeFactor(candidate, question),
  explain: Type.Number({ description: 'How well its time fits the dates that the query names.' }),
}

/** The time of a memory moves its evidence by at most this share, up and down. */
const WEIGHT = 0.3
/** Words that may mean no time raise a memory by this share and lower none. */
const DOUBTFUL_WEIGHT = 0.1
/** A memory up to this long after the dates still fits, because people talk about past weeks. */
const TOLD_AFTER_DAYS = 31

type Timed = Pick<Candidate, 'happenedAt' | 'statedAt' | 'isDated'>

/**
 * Weighs evidence by the dates that a query names: a memory of that time gains, one of another time loses. A memory of which only the time of its
 * storing is known never loses, because what it reports may have happened at any time. No memory loses when the query asks about now, because what
 * was said long ago may still hold.
 */
export function timeFactor(
  candidate: Timed,
  { dates, isOfAnotherTime }: Pick<Question, 'dates' | 'isOfAnotherTime'>,
): number {
  if (dates.length === 0) return 1
  const times = timesOf(candidate)
  const fit = Math.max(...times.flatMap(at => dates.map(span => gainIn(at, span))))
  const isKnown = candidate.isDated || candidate.happenedAt !== null
  const mayLose = isKnown && isOfAnotherTime && !times.some(at => liesBetween(at, dates))
  return 1 + (mayLose ? fit : Math.max(0, fit))
}

/** A known time goes before the mere time of the storing. */
function timesOf({ happenedAt, statedAt, isDated }: Timed): Date[] {
  return happenedAt === null ? [statedAt] : isDated ? [statedAt, happenedAt] : [happenedAt]
}

/** Returns the share that a span of the query adds to the evidence, or takes from it. */
function gainIn(at: Date, span: DateSpan): number {
  const fit = fitOf(at, span)
  if (!span.isDoubtful) return WEIGHT * fit
  return fit > 0 ? DOUBTFUL_WEIGHT * fit : -WEIGHT
}

/** A query that names two times may ask for all that lies between them. */
function liesBetween(at: Date, dates: readonly DateSpan[]): boolean {
  return dates.some(({ end }) => end <= at) && dates.some(({ start }) => at < start)
}

/** Returns 1 inside the span, falling to 0.2 in the month after it, and −1 elsewhere. */
function fitOf(at: Date, { start, end }: DateSpan): number {
  // A tolerance of one day on either side covers time zones.
  const late = (at.getTime() - end.getTime()) / DAY_MS
  const early = (start.getTime() - at.getTime()) / DAY_MS
  if (late <= 1 && early <= 1) return 1
  if (late > 1 && late <= TOLD_AFTER_DAYS) return Math.max(0.2, 0.8 - (0.6 * late) / 10)
  return -1
}
