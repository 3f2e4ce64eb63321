import type { DiagnoseSearchesResult, ListTopQueriesResult } from '@mneme/client'
import { navigate, useAddress } from '../address.tsx'
import { useData } from '../data.ts'
import { Badge, Button, Card, type Column, Head, Loaded, Table, Tabs } from '../parts.tsx'
import { shortened } from './memories/texts.ts'
import { daysOf, PeriodField, ZONE } from './overview/period.tsx'
import { Balance, Quality } from './searches/figures.tsx'
import { Why } from './searches/why.tsx'

const ABOUT = 'How well memories are found, which queries find too little, and why.'

const PARTS = { figures: 'Figures', queries: 'Queries', why: 'Explain a search', balance: 'Ranking balance' }

/** Shows how well searches of the workspace work, and what can be done about those that do not. */
export function Searches() {
  const { query, set } = useAddress()
  const days = daysOf(query)
  // An address with a memory alone asks for its explanation.
  const named = query.part ?? (query.memory ? 'why' : 'figures')
  const part = named in PARTS ? named : 'figures'
  return (
    <>
      <Head title="Search quality" about={ABOUT}>
        {(part === 'figures' || part === 'queries') && <PeriodField days={days} set={set} />}
      </Head>
      <Tabs options={PARTS} chosen={part} onChoose={id => set({ part: id })} />
      {part === 'figures' && <Quality days={days} />}
      {part === 'queries' && <Queries days={days} />}
      {part === 'why' && <Why />}
      {part === 'balance' && <Balance />}
    </>
  )
}

const FIRST = 10
const MOST = 100

/** Lists queries that found nothing, those that found little, and those asked most. */
function Queries({ days }: { days: number }) {
  const { query, set } = useAddress()
  const limit = query.all ? MOST : FIRST
  const period = { days, limit, timezone: ZONE }
  const diagnosis = useData<DiagnoseSearchesResult>('/v1/dashboard/search-diagnosis', period)
  const top = useData<ListTopQueriesResult>('/v1/dashboard/top-queries', period)
  const lists = [diagnosis.data?.zero_result_queries, diagnosis.data?.worst_queries, top.data?.data]
  const isLonger = limit === FIRST && lists.some(list => list?.length === FIRST)
  const explain = (q: string) => navigate(`/searches?${new URLSearchParams({ part: 'why', q, days: String(days) })}`)
  const why: Column<Asked> = ['', ({ query }) => <Explain query={query} onClick={() => explain(query)} />]
  const scored = [QUERY, COUNT, SCORE, why]
  return (
    <>
      <Loaded from={diagnosis}>
        {({ zero_result_queries: zero, worst_queries: worst }) => (
          <>
            <Asking title="Queries without a result" rows={zero} columns={[QUERY, COUNT, why]} none={ALL_FOUND} />
            <Asking title="Queries with weak results" rows={worst} columns={scored} none={NONE_WEAK} />
          </>
        )}
      </Loaded>
      <Loaded from={top}>
        {({ data, total }) => (
          <Asking title="Most frequent queries" rows={data} columns={scored} none={NONE} total={total} />
        )}
      </Loaded>
      {isLonger && (
        <div>
          <Button label={`Show up to ${MOST} of each`} onClick={() => set({ all: 1 })} />
        </div>
      )}
    </>
  )
}

const ALL_FOUND = 'Every query of this period found something.'
const NONE_WEAK = 'No query of this period had weak results.'
const NONE = 'What agents and programs search for is listed here.'

type Asked = { query: string; count: number; avg_score?: number; reason?: string | null; advice?: string | null }

type AskingProps = {
  title: string
  rows: readonly Asked[]
  columns: readonly Column<Asked>[]
  none: string
  total?: number
}

const Asking = ({ title, rows, columns, none, total = 0 }: AskingProps) => (
  <Card title={title}>
    {rows.length === 0 && <p class="quiet">{none}</p>}
    {rows.length > 0 && <Table label={title} columns={columns} rows={rows} keyOf={({ query }) => query} />}
    {total > rows.length && <p class="quiet">{total.toLocaleString('en')} different queries in all.</p>}
  </Card>
)

const QUERY: Column<Asked> = ['Query', asked => <Told asked={asked} />]
const COUNT: Column<Asked> = ['Searches', ({ count }) => count.toLocaleString('en'), 'number']
const SCORE: Column<Asked> = ['Score', ({ avg_score }) => (avg_score ? avg_score.toFixed(2) : '–'), 'number']

const REASONS: Readonly<Record<string, readonly [title: string, kind: string]>> = {
  FILTER_TOO_NARROW: ['Filters too narrow', 'warn'],
  EXCLUDED: ['Excluded', 'warn'],
  MATCHES_NOW: ['Matches now', 'good'],
  EXPIRED: ['Expired', 'warn'],
  NO_MATCH: ['Nothing matches', 'bad'],
}

/** The query, and below it what is wrong with it and what can be done. */
function Told({ asked: { query, reason, advice } }: { asked: Asked }) {
  const [title, kind] = REASONS[reason ?? ''] ?? [reason]
  return (
    <>
      <bdi class="clipped" title={query}>
        {query}
      </bdi>
      {title && <Badge kind={kind}>{title}</Badge>} {advice && <small class="quiet">{advice}</small>}
    </>
  )
}

const Explain = ({ query, onClick }: { query: string; onClick: () => void }) => (
  <Button kind="link" label="Explain" aria-label={`Explain ${shortened(query, 60)}`} onClick={onClick} />
)
