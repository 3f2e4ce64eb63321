import { Link, useAddress } from '../../address.tsx'
import { Copyable } from '../../copy.tsx'
import { useData } from '../../data.ts'
import { Check, DayField } from '../../forms.tsx'
import { type List, Listed, usePage } from '../../paged.tsx'
import { Button, Card, type Column, Head, Loaded, Time } from '../../parts.tsx'
import { type Memory, type Named, Relationships } from './relationships.tsx'
import { instantOf } from './sight.ts'
import { TypeMark } from './words.tsx'

interface EntityDetails extends Named {
  readonly description: string | null
  readonly user_id: string
  readonly aliases: readonly string[]
  readonly metadata: Record<string, unknown> | null
  readonly relationships_count: number
  readonly related_memories_count: number
  readonly created_at: string
  readonly updated_at: string
}

/** An entity: who or what it is, how it is related, and the memories that name it. */
export function Entity({ id }: { readonly id: string }) {
  const entity = useData<EntityDetails>(`/v1/graph/entities/${encodeURIComponent(id)}`)
  const { query, set } = useAddress()
  const { as_of = '', former = '' } = query
  const restarted = { now_page: '', former_page: '' }
  return (
    <Loaded from={entity}>
      {data => (
        <>
          <Head title={data.name} about={data.description && <span dir="auto">{data.description}</span>}>
            <Link
              class="button"
              to={`/graph?user_id=${encodeURIComponent(data.user_id)}&entity=${data.id}`}
              text="Show it in the graph"
            />
          </Head>
          <Facts entity={data} />
          <form class="inline" aria-label="View of the graph" onSubmit={event => event.preventDefault()}>
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
              onChange={event => set({ ...restarted, former: event.currentTarget.checked ? 'yes' : '' })}
            />
          </form>
          <Relationships entity={data} at={instantOf(as_of)} hasFormer={former === 'yes'} />
          <Memories entity={data} />
        </>
      )}
    </Loaded>
  )
}

function Facts({ entity }: { readonly entity: EntityDetails }) {
  const { id, type, user_id, aliases, metadata } = entity
  const facts = [
    ['Type', <TypeMark type={type} />],
    ['User', <Link to={`/graph?user_id=${encodeURIComponent(user_id)}`} text={user_id} />],
    ['Other names', aliases.length > 0 && <span dir="auto">{aliases.join(', ')}</span>],
    ['Relationships that hold now', entity.relationships_count.toLocaleString('en')],
    ['Memories that name it', entity.related_memories_count.toLocaleString('en')],
    ['First noted', <Time at={entity.created_at} />],
    ['Last changed', <Time at={entity.updated_at} />],
    ['Metadata', metadata && <pre dir="auto">{JSON.stringify(metadata, null, 2)}</pre>],
    ['Id', <Copyable text={id} />],
  ] as const
  return (
    <Card title="The entity">
      <dl class="facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <>
              <dt key={name}>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
      </dl>
    </Card>
  )
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
