import type { Entity as Details, ListRelationshipsResult, OutgoingRelationship } from '@mneme/client'
import { useState } from 'preact/hooks'
import { Link, useAddress } from '../../address.tsx'
import { Copyable } from '../../copy.tsx'
import { useData } from '../../data.ts'
import { Asking, Check, DayField } from '../../forms.tsx'
import { type List, Listed, usePage } from '../../paged.tsx'
import {
  Button,
  Card,
  type Column,
  Empty,
  Facts,
  Head,
  Load,
  Loaded,
  Notice,
  Sliced,
  Table,
  Time,
  told,
} from '../../parts.tsx'
import { instantOf } from './time.tsx'
import { TypeMark, wordsOf } from './words.tsx'

/** An entity: who or what it is, how it is related, and the memories that name it. */
export function Entity({ id }: { readonly id: string }) {
  const { query, set } = useAddress()
  const { as_of = '', former = '' } = query
  const restarted = { now_page: '', former_page: '' }
  return (
    <Load<Details> path={`/v1/graph/entities/${encodeURIComponent(id)}`}>
      {data => (
        <>
          <Head title={data.name} about={data.description}>
            <Link
              class="button"
              to={`/graph?user_id=${encodeURIComponent(data.user_id)}&entity=${data.id}`}
              text="Show it in the graph"
            />
          </Head>
          <Card title="The entity">
            <Facts of={factsOf(data)} />
          </Card>
          <Asking class="inline" aria-label="View of the graph" onAsk={() => undefined}>
            <DayField
              label="As it was known on"
              name="as_of"
              value={as_of}
              onChange={event => set({ ...restarted, as_of: event.currentTarget.value })}
            />
            {as_of !== '' && <Button onClick={() => set({ ...restarted, as_of: '' })} label="Show today" />}
            <Check
              label="Show former relationships"
              name="former"
              checked={former === 'yes'}
              onTicked={isTicked => set({ ...restarted, former: isTicked ? 'yes' : '' })}
            />
          </Asking>
          <Relationships entity={data} at={instantOf(as_of)} hasFormer={former === 'yes'} />
          <Memories entity={data} />
        </>
      )}
    </Load>
  )
}

function factsOf({ id, type, user_id, aliases, metadata, ...entity }: Details) {
  return [
    ['Type', <TypeMark key="type" type={type} />],
    ['User', <Link key="user" to={`/graph?user_id=${encodeURIComponent(user_id)}`} text={user_id} />],
    ['Other names', aliases.length > 0 && <bdi>{aliases.join(', ')}</bdi>],
    ['Relationships that hold now', told(entity.relationships_count)],
    ['Memories that name it', told(entity.related_memories_count)],
    ['First noted', <Time key="first" at={entity.created_at} />],
    ['Last changed', <Time key="last" at={entity.updated_at} />],
    ['Metadata', metadata && <pre dir="auto">{JSON.stringify(metadata, null, 2)}</pre>],
    ['Id', <Copyable key="id" text={id} />],
  ] as const
}

const COLUMNS: readonly Column<Memory>[] = [
  ['Memory', ({ id, memory }) => <Link to={`/memories/${id}`} class="clipped" text={memory} />],
  ['Stored', ({ created_at }) => <Time at={created_at} />],
]

/** The memories that name an entity, the latest first. */
function Memories({ entity }: { readonly entity: Named }) {
  const options = { pageSize: 10, pageName: 'memories_page' }
  const memories = usePage<List<Memory>>('/v1/memories', { entity_id: entity.id }, options)
  return (
    <Card title="Memories that name it">
      <Listed label="Memories that name it" from={memories} columns={COLUMNS} none="No memory that is left names it." />
    </Card>
  )
}

export type Memory = { id: string; memory: string; created_at: string }

export type Named = { id: string; name: string; type: string }

type Row = Omit<OutgoingRelationship, 'target'> & { source: Named; target: Named; other: Named }

interface RelationshipsProps {
  readonly entity: Named
  /** The last instant of the day that is looked at. */
  readonly at: number | undefined
  readonly hasFormer: boolean
}

/** The relationships of an entity as sentences: those that hold, and if wanted those that are over. */
export function Relationships({ entity, at, hasFormer }: RelationshipsProps) {
  const query = { as_of: at && new Date(at).toISOString(), include_history: hasFormer || undefined }
  const found = useData<ListRelationshipsResult>(`/v1/graph/entities/${entity.id}/relationships`, query)
  if (at !== undefined && Reflect.get(found.error ?? {}, 'code') === 'ENTITY_NOT_FOUND')
    return (
      <Empty
        title="Not known yet"
        text="No memory had named it by the end of this day. What is shown is what the service knew then; choose a later day."
      />
    )
  return (
    <Loaded from={found}>
      {data => {
        const rows = rowsOf(data, entity)
        const total = data.outgoing_total + data.incoming_total
        return (
          <>
            {rows.length < total && (
              <Notice>
                <p>
                  The strongest {told(rows.length)} of {told(total)} relationships are listed.
                </p>
              </Notice>
            )}
            <Card title={at === undefined ? 'Relationships now' : 'Relationships at that time'}>
              <Sentences rows={rows.filter(({ current }) => current)} name="now_page" none="No relationship holds." />
            </Card>
            {hasFormer && (
              <Card title="Former relationships">
                <Sentences
                  rows={rows.filter(({ current }) => !current)}
                  name="former_page"
                  none="No relationship is over."
                />
              </Card>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function rowsOf({ outgoing, incoming }: ListRelationshipsResult, entity: Named): Row[] {
  const rows = [
    ...outgoing.map(row => ({ ...row, source: entity, other: row.target })),
    ...incoming.map(row => ({ ...row, target: entity, other: row.source })),
  ]
  return rows.toSorted((a, b) => b.weight - a.weight)
}

const PAGE_SIZE = 25

interface SentencesProps {
  readonly rows: readonly Row[]
  /** How the address calls the page. */
  readonly name: string
  readonly none: string
}

function Sentences({ rows, name, none }: SentencesProps) {
  const { query, set } = useAddress()
  const label = name === 'now_page' ? 'Pages of relationships' : 'Pages of former relationships'
  return (
    <Sliced rows={rows} page={query[name]} pageSize={PAGE_SIZE} onPage={next => set({ [name]: next })} label={label}>
      {shown => <Table label="Relationships" columns={SENTENCE_COLUMNS} rows={shown} none={none} />}
    </Sliced>
  )
}

const SENTENCE_COLUMNS: readonly Column<Row>[] = [
  ['Relationship', row => <Sentence row={row} />],
  ['Type', ({ other }) => <TypeMark type={other.type} />],
  ['Since', ({ valid_from }) => <Day at={valid_from} />],
  ['Until', ({ valid_to }) => <Day at={valid_to} />],
  ['Strength', ({ weight }) => `${Math.round(weight * 100)} %`, 'number'],
  ['Memories that say so', row => <Sources row={row} />],
]

function Sentence({ row: { source, target, other, type } }: { readonly row: Row }) {
  const end = (entity: Named) =>
    entity === other ? <Link to={`/graph/${entity.id}`} text={entity.name} /> : <span dir="auto">{entity.name}</span>
  return (
    <span class="clipped graph-told">
      {end(source)} {wordsOf(type)} {end(target)}
    </span>
  )
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Memories tell days, which stand for themselves in any zone; other instants are those of the service. */
export function Day({ at }: { readonly at: string | null }) {
  if (!at?.endsWith('T00:00:00.000Z')) return <Time at={at} />
  return <time datetime={at.slice(0, 10)}>{DAY.format(new Date(at))}</time>
}

/** The texts are loaded once the reader opens them, since a page has many relationships. */
function Sources({ row: { id, memory_ids } }: { readonly row: Row }) {
  const [isOpen, setOpen] = useState(false)
  if (memory_ids.length === 0) return <span class="quiet">–</span>
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{memory_ids.length === 1 ? '1 memory' : `${memory_ids.length} memories`}</summary>
      {isOpen && <Evidence about={{ relationship_id: id }} />}
    </details>
  )
}

const EVIDENCE_MAX = 5

/** The texts themselves, the latest first. @param about what they are evidence of, as the list of memories filters */

export const Evidence = ({ about }: { readonly about: Record<string, string> }) => (
  <Load<List<Memory>> path="/v1/memories" query={{ ...about, page_size: EVIDENCE_MAX }}>
    {({ data, total }) => (
      <ul class="graph-evidence">
        {data.map(({ id, memory, created_at }) => (
          <li key={id}>
            <Link to={`/memories/${id}`} text={memory} />
            <Time at={created_at} />
          </li>
        ))}
        {total === 0 && <li class="quiet">No memory that is left does.</li>}
        {total > data.length && <li class="quiet">{told(total - data.length)} more.</li>}
      </ul>
    )}
  </Load>
)
