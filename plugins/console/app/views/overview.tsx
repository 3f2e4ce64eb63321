import type { GetBacklogResult, GetCategorySharesResult } from '@mneme/client'
import { useState } from 'preact/hooks'
import { Link, useAddress } from '../address.tsx'
import { Bars } from '../chart.tsx'
import { useData } from '../data.ts'
import { Button, Card, type Column, Head, Load, Loaded, Table, Time, told } from '../parts.tsx'
import type { Page } from '../session.ts'
import type { ViewProps } from '../views.ts'
import { figure } from './memories/memory.ts'
import { Activity, Alerts } from './overview/alerts.tsx'
import { daysOf, PeriodField, periodOf, ZONE } from './overview/period.tsx'
import { Start } from './overview/start.tsx'
import { type Summary, Tiles, Trends, useSeries } from './overview/tiles.tsx'

/** Shows how the workspace is used, what needs attention and what happened; the first steps while it is empty. */
export function Overview({ session }: ViewProps) {
  const { query, set } = useAddress()
  const days = daysOf(query)
  const summary = useData<Summary>('/v1/dashboard/summary', periodOf(days), { isLive: true })
  // The first steps stay to their end, although the workspace is no longer empty with the second.
  const [isStarting, setStarting] = useState<boolean>()
  const isStart = isStarting ?? summary.data?.quota.memories_used === 0
  const finish = () => {
    setStarting(false)
    void summary.reload()
  }
  if (isStart && isStarting === undefined) setStarting(true)
  return (
    <>
      <Head title="Overview">
        {summary.data && !isStart && <Button icon="play" label="Get started" onClick={() => setStarting(true)} />}
        {summary.data && !isStart && <PeriodField days={days} set={set} />}
      </Head>
      {isStart && <Start session={session} onDone={finish} />}
      {!isStart && (
        <Loaded from={summary}>
          {data => (
            <>
              <Alerts days={days} />
              <Filled summary={data} days={days} pages={session.pages} />
            </>
          )}
        </Loaded>
      )}
    </>
  )
}

function Filled({ summary, days, pages }: { summary: Summary; days: number; pages: ViewProps['session']['pages'] }) {
  const series = useSeries(days)
  return (
    <>
      <Tiles summary={summary} days={days} series={series} />
      <Trends days={days} series={series} />
      <div class="columns">
        <Processing pages={pages} />
        <Categories days={days} />
      </div>
      <Activity pages={pages} />
    </>
  )
}

interface Kind {
  readonly name: string
  readonly page?: string
  readonly to?: string
  /** It leads to what failed alone. */
  readonly failedTo?: string
}

/** The kinds of work as people call them, and where to look at them. */
const KINDS: Readonly<Record<string, Kind>> = {
  memories: { name: 'Memories', page: 'memories', to: '/memories', failedTo: '/memories?status=FAILED' },
  conversations: { name: 'Conversations' },
  graph: { name: 'Reading for the graph', page: 'graph', to: '/graph' },
  knowledge: { name: 'Knowledge pages', page: 'knowledge', to: '/knowledge' },
  imports: { name: 'Imports', page: 'imports', to: '/imports', failedTo: '/imports?status=FAILED' },
  deliveries: { name: 'Webhook deliveries', page: 'webhooks', to: '/webhooks' },
  exports: { name: 'Exports', page: 'transfers', to: '/transfers' },
}

type Counts = GetBacklogResult['memories']
type Row = Kind & Counts & { readonly id: string }

const entriesOf = (backlog: GetBacklogResult) => Object.entries(backlog) as [string, Counts][]
const isAnyWaiting = (backlog: GetBacklogResult) => entriesOf(backlog).some(([, { waiting }]) => waiting > 0)

/** Shows how much work waits in the background, for how long, and how much of it failed. */
const Processing = ({ pages }: { readonly pages: readonly Page[] }) => (
  <Card title="In the background">
    <Load<GetBacklogResult> path="/v1/dashboard/backlog" goesOn={isAnyWaiting}>
      {data => {
        const rows = rowsOf(data, pages)
        return (
          <>
            <p role="status">{waitingWords(data)}</p>
            {rows.length > 0 && <Table label="Work in the background" columns={COLUMNS} rows={rows} />}
          </>
        )
      }}
    </Load>
  </Card>
)

/** Kinds of which something waits or failed. */
function rowsOf(backlog: GetBacklogResult, pages: readonly Page[]): Row[] {
  return entriesOf(backlog).flatMap(([id, counts]) => {
    if (counts.waiting + counts.failed === 0) return []
    const { name, page, ...places } = KINDS[id] ?? { name: id }
    return { id, name, ...counts, ...(pages.some(each => each.id === page) ? places : {}) }
  })
}

function waitingWords(backlog: GetBacklogResult): string {
  const all = entriesOf(backlog).reduce((sum, [, { waiting }]) => sum + waiting, 0)
  if (all === 0) return 'Nothing is being processed.'
  return all === 1 ? '1 thing is being processed.' : `${told(all)} things are being processed.`
}

const COLUMNS: readonly Column<Row>[] = [
  ['Work', ({ name, to }) => (to ? <Link to={to} text={name} /> : name)],
  ['Waiting', ({ waiting }) => told(waiting), 'number'],
  ['Oldest', ({ oldest_at }) => <Time at={oldest_at} />],
  ['Failed', ({ failed, to, failedTo = to }) => <Failed count={failed} to={failedTo} />, 'number'],
]

const Failed = ({ count, to }: { count: number; to: string | undefined }) =>
  count > 0 && to ? <Link to={to} text={told(count)} /> : told(count)

/** Shows what the memories of the period are about. */
const Categories = ({ days }: { readonly days: number }) => (
  <Card title="Categories of new memories">
    <Load<GetCategorySharesResult> path="/v1/dashboard/categories" query={{ days, timezone: ZONE }}>
      {({ categories }) => <Named categories={categories} />}
    </Load>
  </Card>
)

const SHOWN_FIRST = 8
const KNOWN = 200
const NONE =
  'No memory of this period has a category. Memories get categories as they are processed, or with the request that stores them.'

function Named({ categories }: { categories: GetCategorySharesResult['categories'] }) {
  const [isWhole, setWhole] = useState(false)
  const most = categories[0]?.count
  if (most === undefined) return <p class="quiet">{NONE}</p>
  const rows = categories.slice(0, isWhole ? undefined : SHOWN_FIRST).map(({ name, count, pct }) => ({
    key: name,
    name: <bdi>{name === 'uncategorized' ? 'Without a category' : name}</bdi>,
    share: count / most,
    text: `${told(count)} (${figure(pct, 1)} %)`,
  }))
  const rest = categories.length - rows.length
  return (
    <>
      <Bars label="Memories by category" rows={rows} />
      {rest > 0 && <Button kind="link" label={`Show ${told(rest)} more`} onClick={() => setWhole(true)} />}
      {rest === 0 && categories.length >= KNOWN && <p class="quiet">The {KNOWN} largest categories are shown.</p>}
    </>
  )
}
