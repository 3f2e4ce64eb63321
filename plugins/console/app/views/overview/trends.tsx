import type { CountPoint, TokenPoint } from '@mneme/client'
import { useState } from 'preact/hooks'
import { Chart, type Point } from '../../chart.tsx'
import { useData } from '../../data.ts'
import { Fault, Skeleton, Tabs } from '../../parts.tsx'
import { ZONE } from './period.tsx'

const WEEKS_FROM = 100

/** How memories, requests and tokens went, each undefined until it is loaded. */
export interface Series {
  readonly memories: readonly Point[] | undefined
  readonly requests: readonly Point[] | undefined
  readonly tokens: readonly Point[] | undefined
  readonly error: Error | undefined
}

const granularityOf = (days: number) => (days < WEEKS_FROM ? 'day' : 'week')

/** Loads the figures of the period by days or, in a long period, by weeks. */
export function useSeries(days: number): Series {
  const query = { days, granularity: granularityOf(days), timezone: ZONE }
  const memories = useData<CountPoint[]>('/v1/dashboard/charts/memories', query)
  const requests = useData<CountPoint[]>('/v1/dashboard/charts/requests', query)
  const tokens = useData<TokenPoint[]>('/v1/dashboard/charts/tokens', query)
  const counted = (points: CountPoint[] | undefined) => points?.map(({ date, count }) => pointOf(date, count))
  return {
    memories: counted(memories.data),
    requests: counted(requests.data),
    tokens: tokens.data?.map(({ date, total }) => pointOf(date, total)),
    error: memories.error ?? requests.error ?? tokens.error,
  }
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

const pointOf = (date: string, value: number): Point => ({ key: date, title: DAY.format(new Date(date)), value })

const PARTS = { memories: 'Memories created', requests: 'API requests', tokens: 'Model tokens' }

/** Draws one of the figures over the period. */
export function Trends({ days, series }: { readonly days: number; readonly series: Series }) {
  const [chosen, setChosen] = useState<keyof typeof PARTS>('memories')
  const points = series[chosen]
  const granularity = granularityOf(days)
  return (
    <div class="stack trends">
      <Tabs options={PARTS} chosen={chosen} onChoose={id => setChosen(id as keyof typeof PARTS)} />
      <Fault error={series.error} />
      {points ? (
        <Chart title={`${PARTS[chosen]} per ${granularity}`} about={summedUp(points, granularity)} points={points} />
      ) : (
        !series.error && <Skeleton />
      )}
    </div>
  )
}

function summedUp(points: readonly Point[], granularity: string): string {
  const sum = points.reduce((before, { value }) => before + value, 0)
  const [first, ...others] = points
  if (sum === 0 || !first) return 'None in this period.'
  const most = others.reduce((before, point) => (point.value > before.value ? point : before), first)
  const when = `${granularity === 'day' ? 'on' : 'in the week of'} ${most.title}`
  return `${sum.toLocaleString('en')} in all, most ${when}: ${most.value.toLocaleString('en')}.`
}
