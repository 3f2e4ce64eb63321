import { useState } from 'preact/hooks'
import { Link, useAddress } from '../../address.tsx'
import { call } from '../../api.ts'
import { CopyAs } from '../../copy.tsx'
import { change, reloadShown } from '../../data.ts'
import { Act, Ask, CategoriesField, Check, Field, listOf, type Values } from '../../forms.tsx'
import { walk } from '../../keys.ts'
import { Paged, type PageLoading } from '../../paged.tsx'
import { Badge, Button, type Column, DropDown, Empty, Notice, Table, Time } from '../../parts.tsx'
import { isUnderWay } from '../../progress.tsx'
import { isFiltered, SEARCH, searchOf } from './filters.tsx'
import { counted, type Memories, type Memory, PRIORITIES, partOf, shortened, titleOf } from './memory.ts'

interface ListProps {
  readonly memories: PageLoading<Memories>
  readonly query: Readonly<Record<string, string>>
  /** The one that is open beside the list. */
  readonly open: string | undefined
}

/** The memories that the address asks for: the newest, or the results of a search. */
export function List({ memories, query, open }: ListProps) {
  const { warning, total = 0 } = memories.data ?? {}
  return (
    <section class="stack" aria-label="Memories" aria-busy={memories.isLoading} onKeyDown={walk}>
      {warning && <Notice kind="warn" text={warning} />}
      {query.status === 'FAILED' && total > 0 && (
        <div class="row">
          <Ask kind="plain" label="Process all again" question={TRYING} act={reprocess} />
        </div>
      )}
      <Paged from={memories} none={none(query)}>
        {found => <Found found={found} open={open} />}
      </Paged>
    </section>
  )
}

const TRYING =
  'All memories of the workspace whose processing failed are queued again, also those that other filters leave out. They leave this list as their turn comes.'

/** Whatever the other filters are, an outage or a wrong setting is rarely about a few of them. */
const reprocess = () => change('POST', '/v1/memories/reprocess', { body: { status: 'FAILED' } })

const short = (text: string | null, length = 30) => <bdi>{shortened(text || '–', length)}</bdi>

const COLUMNS: Readonly<Record<string, Column<Memory>>> = {
  user: ['User', ({ user_id }) => short(user_id)],
  agent: ['Agent', ({ agent_id }) => short(agent_id)],
  session: ['Session', ({ session_id }) => short(session_id)],
  categories: ['Categories', ({ categories }) => short(categories.join(', '), 60)],
  priority: ['Priority', ({ priority }) => titleOf(PRIORITIES, priority)],
  source: ['Source', ({ source }) => source.toLowerCase()],
  created: ['Created', ({ created_at }) => <Time at={created_at} />],
  updated: ['Changed', ({ updated_at }) => <Time at={updated_at} />],
}
const SHOWN_FIRST = 'user,categories,created'

/** What is worth a word about a memory in a list: most are ready and still hold. */
function Marks({ memory }: { readonly memory: Memory }) {
  const { status, ended_at, superseded_by, newer } = memory
  return (
    <>
      {status !== 'COMPLETED' && <Badge>{status}</Badge>}
      {superseded_by?.length > 0 ? <Badge kind="warn">replaced</Badge> : ended_at && <Badge kind="warn">ended</Badge>}
      {newer?.length > 0 && superseded_by?.length === 0 && <Badge>newer ones</Badge>}
    </>
  )
}

const SEARCH_COUNT_MAX = 1000

function headOf({ total, query_hash }: Memories): string {
  if (query_hash === undefined) return `${counted(total, 'memory', 'memories')}, newest first`
  return `${total >= SEARCH_COUNT_MAX ? 'At least ' : ''}${counted(total, 'result', 'results')}, best first`
}

function Found({ found, open }: { found: Memories; open: string | undefined }) {
  const { query, set } = useAddress()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { data, query_hash } = found
  const shown = (query.columns ?? SHOWN_FIRST).split(',')
  const memories = data.filter(({ id }) => chosen.has(id))
  const all = () => setChosen(new Set(memories.length === data.length ? [] : data.map(({ id }) => id)))
  const choose = (id: string) =>
    setChosen(before => new Set(before.has(id) ? [...before].filter(other => other !== id) : [...before, id]))
  const tick = (name: string, checked: boolean, onChange: () => void) => (
    <input type="checkbox" aria-label={name} {...{ checked, onChange }} />
  )
  const columns: Column<Memory>[] = [
    [
      tick('Choose all of this page', memories.length === data.length, all),
      ({ id, memory }) => tick(`Choose ${shortened(memory, 40)}`, chosen.has(id), () => choose(id)),
      'tick',
    ],
    ...(query_hash === undefined ? [] : [SCORE]),
    TEXT,
    ...Object.entries(COLUMNS).flatMap(([id, column]) => (shown.includes(id) ? [column] : [])),
  ]
  const label = query_hash === undefined ? 'Memories' : 'Results'
  return (
    <>
      <div class="row">
        <p class="quiet grow" role="status">
          {headOf(found)}
        </p>
        {query.search && <CopyAs path={SEARCH} body={searchOf(query)} />}
        <Columns
          shown={shown}
          onChange={ids => set({ columns: ids.join(',') === SHOWN_FIRST ? '' : ids.join(','), page: query.page })}
        />
      </div>
      {memories.length > 0 && <Bulk memories={memories} queryHash={query_hash} onClear={() => setChosen(new Set())} />}
      <Table label={label} class="memories" columns={columns} rows={data} open={open} />
    </>
  )
}

/** A search shows the passage that was found. */
const textOf = ({ memory, explanation }: Memory): string =>
  explanation?.passage ? partOf(memory, explanation.passage) : shortened(memory)

const TEXT: Column<Memory> = [
  'Memory',
  memory => (
    <>
      <Link to={`/memories/${memory.id}${location.search}`} staysHere class="clipped" text={textOf(memory)} />{' '}
      <Marks memory={memory} />
    </>
  ),
  'text',
]

const RELEVANCES: Readonly<Record<string, string>> = { HIGH: 'good', MEDIUM: 'info' }

const scoreOf = ({ score, relevance = 'NONE' }: Memory) => (
  <Badge kind={RELEVANCES[relevance] ?? 'plain'}>{score?.toFixed(2) ?? relevance}</Badge>
)
const SCORE: Column<Memory> = ['Score', scoreOf, 'score']

function Columns({ shown, onChange }: { shown: readonly string[]; onChange: (ids: string[]) => void }) {
  const change = (id: string) =>
    onChange(Object.keys(COLUMNS).filter(other => shown.includes(other) !== (other === id)))
  return (
    <DropDown icon="columns" label="Columns">
      {Object.entries(COLUMNS).map(([id, [title]]) => (
        <Check key={id} label={title} checked={shown.includes(id)} onTicked={() => change(id)} />
      ))}
    </DropDown>
  )
}

export const anyUnderWay = ({ data, query_hash }: Memories) => query_hash === undefined && data.some(isUnderWay)

function none(query: Readonly<Record<string, string>>) {
  if (query.search) {
    return <Empty title="Nothing is found" text="Try other words, search by words and meaning, or remove a filter." />
  }
  if (isFiltered(query)) return <Empty title="No memory fits" text="Change or remove a filter." />
  return (
    <Empty
      title="No memories yet"
      text="They appear here as agents store them, when files are read or imported, or when you add one."
    />
  )
}

interface BulkProps {
  readonly memories: readonly Memory[]
  readonly queryHash: string | undefined
  readonly onClear: () => void
}

/** What can be done with the chosen memories at once. */
function Bulk({ memories, queryHash, onClear }: BulkProps) {
  const all = async (work: (memory: Memory) => Promise<unknown>) => {
    try {
      await each(memories, work)
      onClear()
    } finally {
      await reloadShown()
    }
  }
  const rate = (signal: string) =>
    all(({ id }) => call('POST', `/v1/memories/${id}/feedback`, { body: { signal, query_hash: queryHash } }))
  const keep = () => all(({ id }) => call('POST', `/v1/memories/${id}/promote`))
  const name = ({ add, remove }: Values) => {
    const removed = new Set(listOf(remove))
    return all(({ id, memory, categories }) => {
      const named = [...new Set([...categories, ...listOf(add)])].filter(category => !removed.has(category))
      return call('PUT', `/v1/memories/${id}`, { body: { memory, categories: named } })
    })
  }
  const told = counted(memories.length, 'memory', 'memories')
  return (
    <fieldset class="bulk" aria-label="What is chosen">
      <b>{memories.length} chosen</b>
      <Ask icon="tag" label="Categories" title={`Categories of ${told}`} action="Change the categories" act={name}>
        <CategoriesField label="Add" name="add" list="known-categories" />
        <Field label="Take away" name="remove" list="known-categories" dir="auto" />
      </Ask>
      {memories.every(({ layer }) => layer === 'TASK') && <Act label="Keep for good" work={keep} />}
      <Act label="Helpful" work={() => rate('POSITIVE')} />
      <Act label="Not helpful" work={() => rate('NEGATIVE')} />
      <Ask
        label="Delete"
        question={`${told} ${memories.length === 1 ? 'is' : 'are'} deleted for good, with the history.`}
        act={() => all(({ id }) => call('DELETE', `/v1/memories/${id}`))}
      />
      <Button kind="link" onClick={onClear} label="Clear" />
    </fieldset>
  )
}

const AT_ONCE = 4

/** Does it with each, a few at a time, and says of how many it failed. */
async function each(memories: readonly Memory[], work: (memory: Memory) => Promise<unknown>): Promise<void> {
  const faults: Error[] = []
  const waiting = [...memories]
  const next = async (): Promise<void> => {
    for (let memory = waiting.shift(); memory; memory = waiting.shift())
      await work(memory).catch((error: Error) => faults.push(error))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  const [first] = faults
  if (first) throw new Error(`It failed for ${faults.length} of ${memories.length}: ${first.message}`)
}
