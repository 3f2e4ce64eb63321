import type { CountPoint, GetDashboardSummaryResult, TokenPoint } from '@mneme/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Chart, type Point, Sparkline } from '../../chart.tsx'
import { useData } from '../../data.ts'
import { Badge, Card, Fault, Skeleton, Tabs, told } from '../../parts.tsx'
import { figure, percent, scored } from '../memories/memory.ts'
import { ZONE } from './period.tsx'

export type Summary = GetDashboardSummaryResult

type Figure = Summary['memories_masked'] & Partial<Pick<Summary['memories'], 'target' | 'status'>>

/** The figures of the period beside those of the period before, with what the plan allows. */
export function Tiles({ summary, days, series }: { summary: Summary; days: number; series: Series }) {
  const { memories, requests, search_quality, zero_result_rate, memories_masked, quota } = summary
  const isSearched = search_quality.current > 0 || zero_result_rate.current > 0
  const found = isSearched ? search_quality.current === 0 && NOTHING_FOUND : NO_SEARCH
  return (
    <div class="tiles">
      <Tile title="Memories created" figure={memories} days={days} points={series.memories}>
        <Share what="in all" used={quota.memories_used} limit={quota.memories_limit} />
      </Tile>
      <Tile title="API requests" figure={requests} days={days} points={series.requests}>
        <Share what="this month" used={quota.requests_used} limit={quota.requests_limit} />
      </Tile>
      <Tokens points={series.tokens} used={quota.tokens_used} limit={quota.tokens_limit} />
      <Tile title="Score of first results" figure={search_quality} days={days} format={scored} missing={found} />
      <Tile
        title="Searches without a result"
        figure={zero_result_rate}
        days={days}
        format={percent}
        isGoodDown
        missing={!isSearched && NO_SEARCH}
      />
      {memories_masked.current + memories_masked.previous_period > 0 && (
        <Tile title="Memories with secrets masked" figure={memories_masked} days={days} />
      )}
    </div>
  )
}

const NO_SEARCH = 'Nothing was searched for in this period.'
const NOTHING_FOUND = 'No search of this period found anything.'

interface TileProps {
  readonly title: string
  readonly figure: Figure
  readonly days: number
  readonly format?: (value: number) => string
  /** A fall is favourable. */
  readonly isGoodDown?: boolean
  /** It tells why there is no figure. */
  readonly missing?: string | false
  readonly points?: readonly Point[] | undefined
  readonly children?: ComponentChildren
}

function Tile({ title, figure, days, format = counted, isGoodDown = false, missing, points, children }: TileProps) {
  const { current, target, status } = figure
  return (
    <Card title={title}>
      <div class="row">
        <span class="figure">{missing ? '–' : format(current)}</span>
        {!missing && <Change figure={figure} days={days} isGoodDown={isGoodDown} />}
      </div>
      {points && <Sparkline values={points.map(({ value }) => value)} />}
      {missing && <p class="quiet">{missing}</p>}
      {children}
      {typeof target === 'number' && (
        <p class="quiet">
          Target {format(target)} {!missing && status && <Badge kind={KINDS[status]}>{standOf(figure)}</Badge>}
        </p>
      )}
    </Card>
  )
}

const KINDS = { OK: 'good', WARNING: 'warn', CRITICAL: 'bad' } as const

function standOf({ current, target, status = 'OK' }: Figure): string {
  if (current >= (target ?? 0)) return 'reached'
  return { OK: 'nearly reached', WARNING: 'below', CRITICAL: 'far below' }[status]
}

type ChangeProps = { figure: Figure; days: number; isGoodDown: boolean }

function Change({ figure: { current, previous_period, delta_pct, direction }, days, isGoodDown }: ChangeProps) {
  const before = `the ${days} days before`
  if (previous_period === 0) return <span class="quiet">none in {before}</span>
  if (current === previous_period || delta_pct === null) return <span class="quiet">as in {before}</span>
  const isUp = direction === 'UP'
  const words = `${isUp ? '▲' : '▼'} ${counted(Math.abs(delta_pct))} %`
  return (
    <span title={`${isUp ? 'More' : 'Less'} than in ${before}`}>
      <Badge kind={isUp === isGoodDown ? 'bad' : 'good'}>{words}</Badge>
    </span>
  )
}

function Tokens({ points, used, limit }: { points: readonly Point[] | undefined; used: number; limit: number | null }) {
  const sum = points?.reduce((before, { value }) => before + value, 0)
  return (
    <Card title="Model tokens">
      <span class="figure">{sum === undefined ? '–' : counted(sum)}</span>
      {points && <Sparkline values={points.map(({ value }) => value)} />}
      <Share what="this month" used={used} limit={limit} />
    </Card>
  )
}

function Share({ what, used, limit }: { what: string; used: number; limit: number | null }) {
  if (limit === null) return <p class="quiet">{`${counted(used)} ${what}, without limit`}</p>
  return (
    <>
      <meter min={0} max={limit} high={limit * 0.8} value={used} aria-label={`Used ${what}`} />
      <p class="quiet">{`${counted(used)} of ${counted(limit)} ${what}`}</p>
    </>
  )
}

const counted = (number: number) => figure(number, 1)

const WEEKS_FROM = 100

/** How memories, requests and tokens went, each undefined until it is loaded. */
type Series = Record<keyof typeof PARTS, readonly Point[] | undefined> & { error: Error | undefined }

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
  return `${told(sum)} in all, most ${when}: ${told(most.value)}.`
}
