import type { Entity as Details } from '@mneme/client'
import { Link, useAddress } from '../../address.tsx'
import { Copyable } from '../../copy.tsx'
import { useData } from '../../data.ts'
import { Asking, Check, DayField } from '../../forms.tsx'
import { type List, Listed, usePage } from '../../paged.tsx'
import { Button, Card, type Column, Facts, Head, Loaded, Time } from '../../parts.tsx'
import { type Memory, type Named, Relationships } from './relationships.tsx'
import { instantOf } from './sight.ts'
import { TypeMark } from './words.tsx'

/** An entity: who or what it is, how it is related, and the memories that name it. */
export function Entity({ id }: { readonly id: string }) {
  const entity = useData<Details>(`/v1/graph/entities/${encodeURIComponent(id)}`)
  const { query, set } = useAddress()
  const { as_of = '', former = '' } = query
  const restarted = { now_page: '', former_page: '' }
  return (
    <Loaded from={entity}>
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
    </Loaded>
  )
}

function factsOf({ id, type, user_id, aliases, metadata, ...entity }: Details) {
  return [
    ['Type', <TypeMark key="type" type={type} />],
    ['User', <Link key="user" to={`/graph?user_id=${encodeURIComponent(user_id)}`} text={user_id} />],
    ['Other names', aliases.length > 0 && <bdi>{aliases.join(', ')}</bdi>],
    ['Relationships that hold now', entity.relationships_count.toLocaleString('en')],
    ['Memories that name it', entity.related_memories_count.toLocaleString('en')],
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
