import { useMemo } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import { Clipped, type Column, Empty, Sliced, Table } from '../../parts.tsx'
import type { Scene, SceneNode, Shown } from './model.ts'
import { EntityLink, TypeMark } from './words.tsx'

interface Row extends SceneNode {
  readonly relationships: number
}

const PAGE_SIZE = 50

/** What the picture shows, as a table: the most connected first. */
export function Listing({ scene, shown }: { scene: Scene; shown: Shown }) {
  const { query, set } = useAddress()
  const rows = useMemo(() => rowsOf(scene, shown), [scene, shown])
  if (rows.length === 0) return <Empty title="No entity fits" text="Choose other filters or another user." />
  return (
    <Sliced rows={rows} page={query.page} pageSize={PAGE_SIZE} onPage={next => set({ page: next })}>
      {part => <Table label="Entities" columns={COLUMNS} rows={part} />}
    </Sliced>
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
  ['Name', EntityLink],
  ['Type', ({ type }) => <TypeMark type={type} />],
  [
    'User',
    ({ entities: [first, ...others] }) => (
      <Clipped text={others.length > 0 ? `${others.length + 1} users` : first?.user_id} />
    ),
  ],
  ['Description', ({ entities }) => <Clipped text={entities[0]?.description ?? '–'} />],
  ['Relationships', ({ relationships }) => relationships.toLocaleString('en'), 'number'],
]
