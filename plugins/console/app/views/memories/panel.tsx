import type { FoundEntity, MemoryEvent } from '@mneme/client'
import { diffWordsWithSpace } from 'diff'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, navigate, thenLeave } from '../../address.tsx'
import { call } from '../../api.ts'
import { Copyable } from '../../copy.tsx'
import { change, reloadShown, useAction, useData } from '../../data.ts'
import { nameDocument } from '../../document-title.ts'
import { Explanation } from '../../explanation.tsx'
import { Act, Ask } from '../../forms.tsx'
import { Badge, Button, Facts, Fault, Load, Loaded, Notice, Tabs, Time } from '../../parts.tsx'
import { isUnderWay } from '../../progress.tsx'
import { Edit } from './editor.tsx'
import { MemoryLink } from './known.tsx'
import { counted, LAYERS, type Memory, metadataText, PRIORITIES, shortened, titleOf } from './memory.ts'

interface PanelProps {
  readonly id: string
  /** What the search says of it that led here. */
  readonly found: Memory | undefined
  readonly queryHash: string | undefined
  readonly onClose: () => void
}

/** All that is known of one memory, beside the list, and what can be done with it. */
export function Panel({ id, found, queryHash, onClose }: PanelProps) {
  const memory = useData<Memory>(`/v1/memories/${encodeURIComponent(id)}`, {}, { goesOn: isUnderWay })
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus({ preventScroll: true }), [id])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) onClose()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const text = memory.data?.memory
  useEffect(() => {
    if (text) nameDocument(shortened(text, 60))
    return () => nameDocument(undefined)
  }, [text])
  return (
    <aside class="panel" aria-label="Memory" tabIndex={-1} ref={panel}>
      <div class="row">
        <h2 class="grow">Memory</h2>
        {memory.data && <Actions memory={memory.data} />}
        <Button kind="icon" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      <Loaded from={memory}>{data => <Shown memory={data} found={found} queryHash={queryHash} />}</Loaded>
    </aside>
  )
}

type ShownProps = Pick<PanelProps, 'found' | 'queryHash'> & { memory: Memory }

function Shown({ memory, found, queryHash }: ShownProps) {
  const [part, setPart] = useState(found?.explanation ? 'why' : 'facts')
  const parts = {
    ...(found?.explanation && { why: 'Why it was found' }),
    facts: 'Fields',
    ...(memory.metadata && { metadata: 'Metadata' }),
    entities: 'Entities',
    history: 'History',
  }
  return (
    <>
      <Messages memory={memory} />
      <p class="written lead" dir="auto">
        {memory.memory}
      </p>
      <p class="quiet">
        {stateOf(memory)} <Link to={similarTo(memory)} text="Find memories of similar meaning" />
      </p>
      {queryHash && <Feedback key={`${queryHash} ${memory.id}`} id={memory.id} queryHash={queryHash} />}
      <Tabs options={parts} chosen={part} onChoose={setPart} />
      {part === 'why' && found?.explanation && <Explanation explanation={found.explanation} />}
      {part === 'facts' && <Facts of={factsOf(memory)} />}
      {part === 'metadata' && <pre>{metadataText(memory.metadata)}</pre>}
      {part === 'entities' && <Entities memory={memory} />}
      {part === 'history' && <Changes key={memory.updated_at} id={memory.id} />}
    </>
  )
}

const NAMED_MAX = 50
const QUERY_MAX = 200

/** The entities of the user whose names stand in the text. */
function Entities({ memory: { memory, user_id } }: { readonly memory: Memory }) {
  const query = { query: shortened(memory, QUERY_MAX), user_id, limit: NAMED_MAX }
  const found = useData<FoundEntity[]>('/v1/graph/search', query)
  const text = memory.toLowerCase()
  const named = found.data?.filter(({ name }) => text.includes(name.toLowerCase()))
  return (
    <Loaded from={{ ...found, data: named }}>
      {entities => (
        <ul class="chips" aria-label="Entities that it names">
          {entities.map(({ id, name }) => (
            <li key={id} class="chip">
              <Link to={`/graph/${id}`} text={name} />
            </li>
          ))}
          {entities.length === 0 && <li class="quiet">It names nothing that the graph knows.</li>}
        </ul>
      )}
    </Loaded>
  )
}

const SEARCHED_MAX = 500

function similarTo({ memory }: Memory): string {
  const words = new URLSearchParams({ search: shortened(memory.trim(), SEARCHED_MAX), mode: 'semantic' })
  return `/memories?${words}`
}

const STATES = {
  PENDING: 'It is found by its words, and waits to be found by its meaning.',
  PROCESSING: 'It is found by its words, and is being made ready to be found by its meaning.',
  COMPLETED: 'It is found by its words and by its meaning.',
  FAILED: 'It is found by its words only, because its processing failed.',
}

const stateOf = ({ status, consolidated_into }: Memory) =>
  consolidated_into === null ? STATES[status] : 'It was merged into another memory, which is found in its place.'

function Actions({ memory }: { memory: Memory }) {
  const [isEditing, setEditing] = useState(false)
  const path = `/v1/memories/${memory.id}`
  const isMerged = memory.consolidated_into !== null
  const close = () => setEditing(false)
  const remove = async () => {
    await thenLeave(call('DELETE', path), () => `/memories${location.search}`)
    await reloadShown()
  }
  return (
    <>
      {!isMerged && memory.layer === 'TASK' && (
        <Act label="Keep for good" work={() => change('POST', `${path}/promote`)} />
      )}
      {!isMerged && <Button onClick={() => setEditing(true)} label="Edit" />}
      <Ask label="Delete" question="The memory is deleted for good, with its history." act={remove} />
      {isEditing && <Edit memory={memory} onClose={close} />}
    </>
  )
}

const RESTORING =
  'The memory becomes what it was, and is not merged again. The other one loses what it gained from this memory alone.'

/** What has to be known before the text is believed. */
function Messages({ memory }: { memory: Memory }) {
  const { id, status, error, consolidated_into, superseded_by, newer, ended_at } = memory
  const restore = () => change('POST', `/v1/memories/${id}/restore`)
  if (consolidated_into !== null) {
    return (
      <Notice>
        <p>
          It says much the same as{' '}
          <Link to={`/memories/${consolidated_into}`} text="the memory that it was merged into" />.
        </p>
        <Ask kind="plain" label="Restore" question={RESTORING} act={restore} />
      </Notice>
    )
  }
  return (
    <>
      {status === 'FAILED' && (
        <Notice kind="bad">
          <p dir="auto">{error ?? 'The reason is not known.'}</p>
          <Act label="Process again" work={() => change('POST', `/v1/memories/${id}/reprocess`)} />
        </Notice>
      )}
      {superseded_by.length > 0 && <Others kind="warn" title="It was replaced by" ids={superseded_by} />}
      {superseded_by.length === 0 && ended_at && (
        <Notice kind="warn">
          <p>
            What it states ended by <Time at={ended_at} />.
          </p>
        </Notice>
      )}
      {newer.length > 0 && <Others kind="info" title="There is newer about the same thing" ids={newer} />}
    </>
  )
}

/** Other memories by their texts, not by their ids. */
const Others = ({ kind, title, ids }: { kind: 'warn' | 'info'; title: string; ids: readonly string[] }) => (
  <Notice kind={kind}>
    <p>{title}:</p>
    <ul>
      {ids.map(id => (
        <li key={id}>
          <MemoryLink id={id} search={location.search || '?'} />
        </li>
      ))}
    </ul>
  </Notice>
)

const SOURCES = {
  API: 'The API or the console',
  INGEST: 'A file or a page',
  TEMPLATE: 'A template',
  CONVERSATION: 'A conversation',
  IMPORT: 'An import',
}

function factsOf(memory: Memory) {
  const { status, priority, categories, user_id, agent_id, session_id, layer, expires_at, source } = memory
  const { access_count, last_accessed_at, feedback } = memory
  const read = access_count > 0 && (
    <>
      {counted(access_count, 'time', 'times')}, last <Time at={last_accessed_at} />
    </>
  )
  const rated =
    feedback && `${feedback.positive} helpful, ${feedback.negative} not helpful, ${feedback.neutral} neutral`
  return [
    ['Status', <Badge key="status">{status}</Badge>],
    ['Priority', titleOf(PRIORITIES, priority)],
    ['Categories', categories.length > 0 && <span dir="auto">{categories.join(', ')}</span>],
    ['User', <Alike key="user" name="user_id" value={user_id} />],
    ['Agent', agent_id && <Alike name="agent_id" value={agent_id} />],
    ['Session', session_id && <Alike name="session_id" value={session_id} />],
    ['Stays', titleOf(LAYERS, layer)],
    ['Expires', expires_at && <Time at={expires_at} />],
    ['Comes from', SOURCES[source] ?? source],
    ['Read', read || 'Never'],
    ['Feedback', rated ?? 'None yet'],
    ['Created', <Time key="created" at={memory.created_at} />],
    ['Last changed', <Time key="changed" at={memory.updated_at} />],
    ['Id', <Copyable key="id" text={memory.id} />],
  ] as const
}

/** Leads to the memories that have the same value. */
const Alike = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <Link to={`/memories?${new URLSearchParams({ [name]: value })}`} text={value} />
)

/** Tells the service whether a result served its search. */
function Feedback({ id, queryHash }: { readonly id: string; readonly queryHash: string }) {
  const [isGiven, setGiven] = useState(false)
  const { run, error, isBusy } = useAction(async (signal: string) => {
    await call('POST', `/v1/memories/${id}/feedback`, { body: { signal, query_hash: queryHash } })
    setGiven(true)
  })
  if (isGiven) return <p role="status">Thank you. Searches like this one learn from it.</p>
  return (
    <fieldset class="row bare" aria-label="Rate this result">
      <span class="quiet">Did it serve the search?</span>
      <Button isBusy={isBusy} onClick={() => run('POSITIVE')} label="Helpful" />
      <Button isBusy={isBusy} onClick={() => run('NEGATIVE')} label="Not helpful" />
      <Fault error={error} />
    </fieldset>
  )
}

/** Where the panel closes to. */
export const closePanel = () => navigate(`/memories${location.search}`, { staysHere: true })

const PAGE_SIZE = 100
const EVENTS: Readonly<Record<string, string>> = {
  CREATED: 'good',
  UPDATED: 'info',
  CONSOLIDATED: 'warn',
  RESTORED: 'info',
}

/** The versions of a memory's text, each with what was taken away and what was added. */
const Changes = ({ id }: { readonly id: string }) => (
  <Load<{ data: MemoryEvent[] }> path={`/v1/memories/${id}/history`} query={{ page_size: PAGE_SIZE }}>
    {({ data }) => (
      <ol class="events">
        {data.toReversed().map(event => (
          <li key={event.id}>
            <p class="row">
              <Badge kind={EVENTS[event.event]}>{event.event}</Badge> <Time at={event.created_at} />
              {event.absorbed_id && <Link to={`/memories/${event.absorbed_id}`} text="Show the other memory" />}
            </p>
            {event.old_content !== null && <Difference before={event.old_content} after={event.new_content} />}
          </li>
        ))}
      </ol>
    )}
  </Load>
)

/** Words of languages that put no spaces between them are told apart, too. */
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A text with what was taken away and what was added. */
export function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return <p class="quiet">The text stayed as it was.</p>
  return (
    <p class="written" dir="auto">
      {diffWordsWithSpace(before, after, { intlSegmenter: WORDS }).map(({ value, added, removed }, n) => {
        if (added) return <ins key={n}>{value}</ins>
        return removed ? <del key={n}>{value}</del> : value
      })}
    </p>
  )
}
