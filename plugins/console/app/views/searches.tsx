import type {
  DiagnoseSearchesResult,
  ExplainSearchResult,
  ListedMemory,
  ListTopQueriesResult,
  Memory as Stored,
} from '@mneme/client'
import { useEffect, useState } from 'preact/hooks'
import { Link, navigate, useAddress } from '../address.tsx'
import { useData } from '../data.ts'
import { Explanation } from '../explanation.tsx'
import { Dialog, Field, Form, TextField, type Values } from '../forms.tsx'
import type { List } from '../paged.tsx'
import { Badge, Button, Card, type Column, Head, Load, Loaded, Notice, Pager, Table, Tabs, told } from '../parts.tsx'
import { shortened } from './memories/memory.ts'
import { daysOf, PeriodField, ZONE } from './overview/period.tsx'
import { Balance, Quality } from './searches/figures.tsx'

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
    <Table label={title} columns={columns} rows={rows} keyOf={({ query }) => query} none={none} />
    {total > rows.length && <p class="quiet">{told(total)} different queries in all.</p>}
  </Card>
)

const QUERY: Column<Asked> = ['Query', asked => <Told asked={asked} />]
const COUNT: Column<Asked> = ['Searches', ({ count }) => told(count), 'number']
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

const MODES = { hybrid: 'Words and meaning', semantic: 'Meaning', keyword: 'Words' }

const ABOUT_WHY =
  'The search is run again for one memory. It tells its place and what its score is made of, or every reason that keeps it out. This search is not counted in the figures.'

/** Explains for one query and one memory why the query finds it, or does not; the address keeps both. */
export function Why() {
  const { q, memory, user, mode } = useAddress().query
  const [round, setRound] = useState(0)
  const body = q && memory && { query: q, memory_id: memory, user_id: user || undefined, mode: mode || undefined }
  return (
    <Card title="Why was a memory found, or not?">
      <p class="quiet">{ABOUT_WHY}</p>
      <Question onAsked={() => setRound(round + 1)} />
      {body && <Explained key={JSON.stringify([body, round])} body={body} />}
    </Card>
  )
}

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** People paste the address of a memory as often as its id. */
const idIn = (text = '') => ID.exec(text)?.[0] ?? text.trim()

function Question({ onAsked }: { onAsked: () => void }) {
  const { query, set } = useAddress()
  const [memory, setMemory] = useState('')
  const [isChoosing, setChoosing] = useState(false)
  useEffect(() => setMemory(query.memory ?? ''), [query.memory])
  const ask = async ({ q, user, mode, memory: typed }: Values) => {
    set({ q, user: user?.trim(), mode, memory: idIn(typed) })
    onAsked()
  }
  const choose = (id: string) => {
    setMemory(id)
    setChoosing(false)
  }
  const named = { name: 'memory', required: true, value: memory, hint: 'Its id, or the address of its page.' }
  const owner = 'Only if the search was for one user. Leave it empty to search the memories of all.'
  return (
    <>
      <Form send={ask} action="Explain">
        <TextField label="Query" name="q" dir="auto" required value={query.q ?? ''} />
        <Field label="Memory" onTyped={setMemory} {...named} />
        <div>
          <Button label="Choose a memory" onClick={() => setChoosing(true)} />
        </div>
        <TextField label="User" name="user" dir="auto" value={query.user ?? ''} hint={owner} />
        <Field label="Searched by" name="mode" options={MODES} value={query.mode ?? 'hybrid'} />
      </Form>
      {isChoosing && <Choice onChoose={choose} onClose={() => setChoosing(false)} />}
    </>
  )
}

const PAGE_SIZE = 10

/** Lets one of the memories be chosen, newest first. It does not search, as that would count in the figures. */
function Choice({ onChoose, onClose }: { onChoose: (id: string) => void; onClose: () => void }) {
  const [user, setUser] = useState('')
  const [page, setPage] = useState(1)
  const filter = (typed: string) => {
    setUser(typed.trim())
    setPage(1)
  }
  const columns: Column<ListedMemory>[] = [
    ['Memory', ({ memory }) => <bdi class="clipped">{shortened(memory)}</bdi>],
    ['User', ({ user_id }) => <bdi class="clipped">{user_id}</bdi>],
    ['', ({ id, memory }) => <Chosen memory={memory} onClick={() => onChoose(id)} />],
  ]
  const none = user ? 'This user has no memories.' : 'There are no memories yet.'
  const field = { name: 'chosen-user', placeholder: 'All users', value: user }
  return (
    <Dialog title="Choose a memory" onClose={onClose}>
      <div class="stack">
        <TextField label="User" dir="auto" onValue={filter} {...field} />
        <Load<List<ListedMemory>> path="/v1/memories" query={{ page, page_size: PAGE_SIZE, user_id: user }}>
          {({ data, total }) => (
            <>
              <Table label="Memories" columns={columns} rows={data} none={none} />
              <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={setPage} />
            </>
          )}
        </Load>
        <div class="row end">
          <Button label="Cancel" onClick={onClose} />
        </div>
      </div>
    </Dialog>
  )
}

const Chosen = ({ memory, onClick }: { memory: string; onClick: () => void }) => (
  <Button label="Choose" aria-label={`Choose ${shortened(memory, 60)}`} onClick={onClick} />
)

const Explained = ({ body }: { body: object }) => (
  <div class="stack" aria-live="polite">
    <Load<ExplainSearchResult> path="/v1/memories/search/why" query={{ ...body }} asBody>
      {data => <Answer answer={data} />}
    </Load>
  </div>
)

const COUNTED = 1000

/** Tells where the memory is among the results, or each reason that keeps it out, and its score. */
function Answer({ answer }: { answer: ExplainSearchResult }) {
  const { memory_id, found, reasons, explanation, rank, page, total } = answer
  const against = reasons.filter(({ code }) => code !== 'FOUND')
  const all = total >= COUNTED ? `${told(COUNTED)} or more` : told(total)
  const place = `The memory is in place ${rank} of ${all}, on page ${page}.`
  return (
    <>
      <Notice
        kind={found ? 'good' : 'warn'}
        text={<strong>{found ? place : 'The search does not find this memory.'}</strong>}
      >
        <ul>
          {against.map(({ code, message }) => (
            <li key={code} dir="auto">
              {message}
            </li>
          ))}
        </ul>
      </Notice>
      <Memory id={memory_id} />
      <Score answer={answer} />
      {explanation && <Explanation explanation={explanation} />}
    </>
  )
}

/** Shows the text of the memory, for those who came with its id alone. */
function Memory({ id }: { id: string }) {
  const { data } = useData<Stored>(`/v1/memories/${id}`)
  return (
    <blockquote>
      {data && <p class="clipped">{data.memory}</p>}
      <p class="quiet">
        {data && `Of \u2068${data.user_id}\u2069. `}
        <Link to={`/memories/${id}`} text="Open the memory" />
      </p>
    </blockquote>
  )
}

const KINDS: Readonly<Record<string, string>> = { HIGH: 'good', MEDIUM: 'info', LOW: 'warn' }

function Score({ answer: { found, score, best_score, relevance } }: { answer: ExplainSearchResult }) {
  if (score === null) return <p class="quiet">It has no score, as it is not in the index.</p>
  return (
    <p>
      {found ? 'Its score is' : 'If it passed, its score would be'} <strong>{score.toFixed(2)}</strong>{' '}
      {relevance && <Badge kind={KINDS[relevance]}>{`${relevance} relevance`}</Badge>}.
      {best_score !== null && ` The first result has ${best_score.toFixed(2)}.`}
    </p>
  )
}
