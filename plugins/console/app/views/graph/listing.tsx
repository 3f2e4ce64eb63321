import { useMemo } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import { type Column, Empty, Pager, Table } from '../../parts.tsx'
import type { Scene, SceneNode, Shown } from './model.ts'
import { EntityLink, TypeMark } from './words.tsx'

interface ListingProps {
  readonly scene: Scene
  readonly shown: Shown
}

interface Row extends SceneNode {
  readonly relationships: number
}

const PAGE_SIZE = 50

/** What the picture shows, as a table: the most connected first. */
export function Listing({ scene, shown }: ListingProps) {
  const { query, set } = useAddress()
  const rows = useMemo(() => rowsOf(scene, shown), [scene, shown])
  if (rows.length === 0) return <Empty title="No entity fits">Choose other filters or another user.</Empty>
  const pages = Math.ceil(rows.length / PAGE_SIZE)
  const page = Math.min(Math.max(1, Math.trunc(Number(query.page)) || 1), pages)
  return (
    <>
      <Table label="Entities" columns={COLUMNS} rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} />
      <Pager page={page} pageSize={PAGE_SIZE} total={rows.length} onPage={next => set({ page: next })} />
    </>
  )
}

function rowsOf({ nodes, edges }: Scene, shown: Shown): Row[] {
  const counts = new Map<string, number>()
  for (const id of shown.edges.keys()) {
    const edge = edges.get(id)
    for (const end of edge ? [edge.source, edge.target] : []) counts.set(end, (counts.get(end) ?? 0) + 1)
  }
  return [...nodes.values()]
    .filter(({ id }) => shown.nodes.has(id))
    .map(node => ({ ...node, relationships: counts.get(node.id) ?? 0 }))
    .toSorted((a, b) => b.relationships - a.relationships || a.name.localeCompare(b.name))
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Name',
    cell: EntityLink,
  },
  { title: 'Type', cell: ({ type }) => <TypeMark type={type} /> },
  {
    title: 'User',
    cell: ({ entities }) => (
      <span dir="auto" class="clipped">
        {entities.length === 1 ? entities[0]?.user_id : `${entities.length} users`}
      </span>
    ),
  },
  {
    title: 'Description',
    cell: ({ entities }) => (
      <span dir="auto" class="clipped">
        {entities[0]?.description ?? '–'}
      </span>
    ),
  },
  { title: 'Relationships', cell: ({ relationships }) => relationships.toLocaleString('en'), isNumber: true },
]
