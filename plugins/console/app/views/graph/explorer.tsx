import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import { useAction } from '../../data.ts'
import { Check, dayOf } from '../../forms.tsx'
import {
  Button,
  Clipped,
  type Column,
  Empty,
  Fault,
  Head,
  Load,
  Notice,
  Sliced,
  Table,
  Tabs,
  told,
} from '../../parts.tsx'
import type { Target } from './canvas.ts'
import type { Named } from './entity.tsx'
import {
  beginningOf,
  type GraphEdge,
  type GraphNode,
  mergedWith,
  type Overview,
  readAround,
  type Scene,
  type SceneNode,
  type Shown,
  sceneOf,
  shownOf,
  tally,
} from './model.ts'
import { Panel } from './panel.tsx'
import { Ask, Found, SearchForm } from './search.tsx'
import { Stage } from './stage.tsx'
import { type Sight, TimeSlider, toggled, useSight } from './time.tsx'
import { UserChoice } from './user-choice.tsx'
import { EntityLink, Mark, TYPES, TypeMark, wordsOf } from './words.tsx'

const ABOUT = 'Memories name people, organizations, places and things, and tell how they are related.'
const FEW = { limit: 2_000, edges_limit: 5_000 }
const MANY = { limit: 5_000, edges_limit: 20_000 }
const VIEWS = { graph: 'Graph', list: 'List' }

/** The graph of the workspace or of one user, on one canvas or as a list. */
export function Explorer() {
  const { query, set } = useAddress()
  const { user_id } = query
  const [isWhole, setWhole] = useState(false)
  const limits = isWhole ? MANY : FEW
  return (
    <>
      <Head title="Graph" about={ABOUT}>
        <UserChoice chosen={user_id} onChoose={id => set({ user_id: id, entity: '', relationship: '' })} />
      </Head>
      <Load<Overview> path="/v1/graph/overview" query={{ user_id, include_history: true, ...limits }}>
        {loaded =>
          loaded.total_nodes === 0 && user_id === undefined ? (
            <Empty
              title="No entities yet"
              text="People, organizations, places and things that memories name are shown here, a few seconds after the memories came."
            />
          ) : (
            <>
              {loaded.nodes.length < loaded.total_nodes && (
                <Notice>
                  <p>
                    The {told(loaded.nodes.length)} most connected of {told(loaded.total_nodes)} entities are shown.{' '}
                    {isWhole ? (
                      'Search finds the others, and so does the choice of a user.'
                    ) : (
                      <Button kind="link" label={`Show up to ${told(MANY.limit)}`} onClick={() => setWhole(true)} />
                    )}
                  </p>
                </Notice>
              )}
              <Explored key={user_id ?? ''} overview={loaded} />
            </>
          )
        }
      </Load>
    </>
  )
}

function Explored({ overview }: { readonly overview: Overview }) {
  const sight = useSight()
  const { isList, set } = sight
  const { userOf, scene, shown, eye, at, setAt, setUsed, setPointed, choose, expand, error, isFinding, users } =
    useExplored(overview, sight)
  const from = useMemo(() => beginningOf(overview.nodes), [overview])
  const found = <Found isList={isList} onFound={setUsed} onChoose={choose} userOf={id => userOf.get(id)} />
  return (
    <>
      <Tabs
        options={VIEWS}
        chosen={isList ? 'list' : 'graph'}
        onChoose={id => set({ view: id === 'list' ? id : '' })}
      />
      <Fault error={error} />
      <div class={isList ? 'graph-explorer as-list' : 'graph-explorer'}>
        <div class="graph-side">
          <SearchForm />
          <FilterBar scene={scene} shown={shown} sight={sight} hasUsers={users > 1} />
        </div>
        <div class="graph-stage">
          <Ask onAnswer={setUsed} onChoose={choose} />
          {!isList && (
            <Stage
              scene={scene}
              shown={shown}
              eye={eye}
              label={`${summaryOf(shown)}; the list has the same.`}
              onPoint={setPointed}
              onChoose={choose}
              onExpand={expand}
            />
          )}
          {isList && (isFinding ? found : <Listing scene={scene} shown={shown} />)}
          <TimeSlider
            from={from}
            at={at}
            onMove={setAt}
            onRest={moment => set({ as_of: moment ? dayOf(moment) : '' })}
          />
        </div>
        {!isList && isFinding && found}
        {!isList && <Panel scene={scene} shown={shown} chosen={eye.chosen} onChoose={choose} onExpand={expand} />}
      </div>
      <p class="quiet" role="status">
        {summaryOf(shown)} are shown.
      </p>
    </>
  )
}

const summaryOf = ({ nodes, edges }: Shown) => `${told(nodes.size)} entities and ${told(edges.size)} relationships`

/** What is shown of the graph and what the reader looks at, as the address says. */
function useExplored(overview: Overview, { filters, isTogether, set }: Sight) {
  const { query } = useAddress()
  const [added, setAdded] = useState<Added>({ nodes: [], edges: [] })
  const all = useMemo(() => mergedWith(overview, added.nodes, added.edges), [overview, added])
  const scene = useMemo(() => sceneOf(all, isTogether), [all, isTogether])
  const placeOf = useMemo(() => placesIn(scene), [scene])
  // A slider moves faster than the address may follow.
  const [at, setAt] = useState(filters.at)
  useEffect(() => setAt(filters.at), [filters.at])
  const shown = useMemo(() => shownOf(scene, { ...filters, at }), [scene, filters, at])
  const [used, setUsed] = useState<readonly Named[]>([])
  const [pointed, setPointed] = useState<Target>(undefined)
  const { entity = '', relationship = '' } = query
  const chosen = useMemo((): Target => {
    const node = placeOf.get(entity)
    return node === undefined ? (scene.edges.has(relationship) ? { edge: relationship } : undefined) : { node }
  }, [entity, relationship, placeOf, scene])
  const lit = useMemo(() => new Set(used.flatMap(({ id }) => placeOf.get(id) ?? [])), [used, placeOf])
  const eye = useMemo(() => ({ pointed, chosen, lit }), [pointed, chosen, lit])
  const { run, error } = useAction(async (...ids: string[]) => {
    for (const id of ids) {
      const around = await readAround(id)
      setAdded(({ nodes, edges }) => ({ nodes: [...nodes, ...around.nodes], edges: [...edges, ...around.edges] }))
    }
  })
  const missing = [...used.map(({ id }) => id), entity].filter(id => id !== '' && !placeOf.has(id)).join(' ')
  useEffect(() => {
    if (missing !== '') void run(...missing.split(' '))
  }, [missing])
  const choose = (target: Target | string) => {
    const { node = '', edge = '' }: { node?: string; edge?: string } =
      typeof target === 'string' ? { node: placeOf.get(target) ?? target } : { ...target }
    if (node !== entity || edge !== relationship) set({ entity: node, relationship: edge })
  }
  const expand = (node: string) => {
    void run(
      ...(scene.nodes
        .get(node)
        ?.entities.map(({ id }) => id)
        .slice(0, EXPANDED_MAX) ?? []),
    )
    choose({ node })
  }
  const isFinding = Boolean(query.search) && !chosen
  const userOf = useMemo(() => new Map(all.nodes.map(({ id, user_id }) => [id, user_id])), [all])
  const users = useMemo(() => new Set(userOf.values()).size, [userOf])
  return { userOf, scene, shown, eye, at, setAt, setUsed, setPointed, choose, expand, error, isFinding, users }
}

/** So many entities under one name are expanded at once. */
const EXPANDED_MAX = 10

type Added = { nodes: readonly GraphNode[]; edges: readonly GraphEdge[] }

/** Tells by which node of the picture each entity is shown. */
const placesIn = ({ nodes }: Scene): ReadonlyMap<string, string> =>
  new Map([...nodes.values()].flatMap(({ id, entities }) => entities.map(entity => [entity.id, id] as const)))

interface Row extends SceneNode {
  readonly relationships: number
}

const PAGE_SIZE = 50

/** What the picture shows, as a table: the most connected first. */
function Listing({ scene, shown }: { scene: Scene; shown: Shown }) {
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
  const ends = [...shown.edges.keys()]
    .map(id => edges.get(id))
    .flatMap(edge => (edge ? [edge.source, edge.target] : []))
  const counts = tally(ends)
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
  ['Relationships', ({ relationships }) => told(relationships), 'number'],
]

type FiltersProps = { scene: Scene; shown: Shown; sight: Sight; hasUsers: boolean }

/** What of the graph is shown. The types are its legend too. */
export function FilterBar({ scene, shown, sight, hasUsers }: FiltersProps) {
  const { filters, isTogether, set } = sight
  const { query } = useAddress()
  const isFiltered = ['types', 'relations', 'weight', 'former', 'as_of'].some(name => query[name])
  return (
    <section class="graph-filters" aria-label="Filters">
      <Types scene={scene} shown={shown} sight={sight} />
      <Relations scene={scene} sight={sight} />
      <label class="graph-weight">
        <span>
          Strength <output>{filters.weightMin === 0 ? 'any' : `from ${Math.round(filters.weightMin * 100)} %`}</output>
        </span>
        <input
          type="range"
          min={0}
          max={0.95}
          step={0.05}
          value={filters.weightMin}
          onChange={event => set({ weight: Number(event.currentTarget.value) || '' })}
        />
      </label>
      <Check
        label="Former relationships"
        checked={filters.hasFormer}
        onTicked={isTicked => set({ former: isTicked ? '' : 'no' })}
      />
      {hasUsers && (
        <Check
          label="Same names together"
          checked={isTogether}
          onTicked={isTicked => set({ together: isTicked ? 'yes' : '', entity: '', relationship: '' })}
        />
      )}
      {isFiltered && (
        <Button
          kind="link"
          onClick={() => set({ types: '', relations: '', weight: '', former: '', as_of: '' })}
          label="Clear the filters"
        />
      )}
    </section>
  )
}

type PartProps = Pick<FiltersProps, 'scene' | 'sight'>

function Types({ scene, shown, sight: { filters, set } }: PartProps & Pick<FiltersProps, 'shown'>) {
  const counts = tally([...shown.nodes].map(id => scene.nodes.get(id)?.type ?? ''))
  return (
    <fieldset>
      <legend>Types</legend>
      {TYPES.map(({ value, many }) => (
        <Toggle
          key={value}
          isOn={!filters.hiddenTypes.has(value)}
          onToggle={() => set({ types: toggled(filters.hiddenTypes, value) })}
          mark={<Mark type={value} />}
          name={many}
          count={counts.get(value) ?? 0}
        />
      ))}
    </fieldset>
  )
}

function Relations({ scene, sight: { filters, set } }: PartProps) {
  const counts = useMemo(() => {
    const found = tally([...scene.edges.values()].map(({ type }) => type))
    return [...found].toSorted((a, b) => b[1] - a[1])
  }, [scene])
  if (counts.length === 0) return null
  return (
    <details class="graph-relations" open={filters.relations.size > 0}>
      <summary>
        {filters.relations.size === 0 ? 'All relationships' : `${filters.relations.size} kinds of relationship`}
      </summary>
      <div>
        {counts.map(([type, count]) => (
          <Toggle
            key={type}
            isOn={filters.relations.has(type)}
            onToggle={() => set({ relations: toggled(filters.relations, type) })}
            name={wordsOf(type)}
            count={count}
          />
        ))}
      </div>
    </details>
  )
}

type ToggleProps = { isOn: boolean; onToggle: () => void; mark?: ComponentChildren; name: string; count: number }

const Toggle = ({ isOn, onToggle, mark, name, count }: ToggleProps) => (
  <label class="graph-toggle">
    <input type="checkbox" checked={isOn} onChange={onToggle} />
    {mark}
    <span>{name}</span>
    <span class="quiet number">{told(count)}</span>
  </label>
)
