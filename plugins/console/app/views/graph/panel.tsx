import { Link } from '../../address.tsx'
import { Button, Facts } from '../../parts.tsx'
import type { Target } from './canvas.ts'
import { Day, Evidence } from './entity.tsx'
import type { GraphEdge, Scene, SceneEdge, SceneNode, Shown } from './model.ts'
import { Chip, TypeMark, wordsOf } from './words.tsx'

interface PanelProps {
  readonly scene: Scene
  readonly shown: Shown
  readonly chosen: Target
  readonly onChoose: (target: Target) => void
  readonly onExpand: (node: string) => void
}

/** What is known of the entity or the relationship that was chosen, and the memories that say so. */
export function Panel({ scene, shown, chosen, onChoose, onExpand }: PanelProps) {
  const node = chosen && 'node' in chosen ? scene.nodes.get(chosen.node) : undefined
  const edge = chosen && 'edge' in chosen ? scene.edges.get(chosen.edge) : undefined
  if (!node && !edge) return null
  return (
    <aside class="graph-panel" aria-label="Chosen">
      <Button
        kind="icon"
        icon="close"
        aria-label="Close"
        class="button icon graph-close"
        onClick={() => onChoose(undefined)}
      />
      {node && <Chosen key={node.id} node={node} scene={scene} shown={shown} onChoose={onChoose} onExpand={onExpand} />}
      {edge && <Relationship key={edge.id} edge={edge} scene={scene} onChoose={onChoose} />}
    </aside>
  )
}

type ChosenProps = Omit<PanelProps, 'chosen'> & { node: SceneNode }

function Chosen({ node, scene, shown, onChoose, onExpand }: ChosenProps) {
  const [first] = node.entities
  return (
    <>
      <TypeMark type={node.type} />
      <h2 dir="auto">{node.name}</h2>
      {first?.description && (
        <p class="quiet" dir="auto">
          {first.description}
        </p>
      )}
      <p class="quiet">
        {node.entities.length === 1 ? 'Of the user ' : `Of ${node.entities.length} users: `}
        {node.entities.slice(0, USERS_MAX).map(({ id, user_id }, n) => (
          <span key={id}>
            {n > 0 && ', '}
            <Link to={`/graph/${id}`} text={user_id} />
          </span>
        ))}
        {node.entities.length > USERS_MAX && ' and others'}
      </p>
      <div class="row">
        <Button onClick={() => onExpand(node.id)} label="Expand" />
        <Link class="button" to={`/graph/${node.id}`} text="Open the entity" />
      </div>
      <Ties node={node} scene={scene} shown={shown} onChoose={onChoose} />
      <h3>Memories that name it</h3>
      <Evidence about={{ entity_id: node.id }} />
    </>
  )
}

const USERS_MAX = 6
const TIES_MAX = 60

/** The relationships that are in the picture, the strongest first; each leads on. */
function Ties({ node, scene, shown, onChoose }: Omit<ChosenProps, 'onExpand'>) {
  const all = [...scene.edges.values()].filter(
    ({ id, source, target }) => shown.edges.has(id) && (source === node.id || target === node.id),
  )
  const isOver = ({ id }: SceneEdge) => shown.edges.get(id) === 'former'
  const ties = all.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)) || b.weight - a.weight)
  if (ties.length === 0) return <p class="quiet">No relationship of it is shown.</p>
  return (
    <>
      <h3>Relationships</h3>
      <ul class="graph-ties">
        {ties.slice(0, TIES_MAX).map(edge => {
          const isFrom = edge.source === node.id
          const other = scene.nodes.get(isFrom ? edge.target : edge.source)
          return (
            <li key={edge.id} class={isOver(edge) ? 'former' : undefined}>
              <button type="button" class="graph-word" onClick={() => onChoose({ edge: edge.id })}>
                {isFrom ? '' : '← '}
                {wordsOf(edge.type)}
                {isOver(edge) ? ' (over)' : ''}
              </button>
              <Chip of={other} onClick={() => other && onChoose({ node: other.id })} />
            </li>
          )
        })}
      </ul>
      {ties.length > TIES_MAX && <p class="quiet">And {ties.length - TIES_MAX} more.</p>}
    </>
  )
}

type RelationshipProps = Pick<PanelProps, 'scene' | 'onChoose'> & { edge: SceneEdge }

function Relationship({ edge, scene, onChoose }: RelationshipProps) {
  const end = (id: string) => <Chip of={scene.nodes.get(id)} onClick={() => onChoose({ node: id })} />
  return (
    <>
      <span class="quiet">Relationship</span>
      <h2 class="graph-sentence">
        {end(edge.source)} {wordsOf(edge.type)} {end(edge.target)}
      </h2>
      {edge.relationships.slice(0, USERS_MAX).map(each => (
        <Statement key={each.id} relationship={each} isAlone={edge.relationships.length === 1} scene={scene} />
      ))}
    </>
  )
}

function Statement({ relationship, isAlone, scene }: { relationship: GraphEdge; isAlone: boolean; scene: Scene }) {
  const { id, source, weight, valid_from, valid_to, known_to } = relationship
  const user = [...scene.nodes.values()]
    .flatMap(({ entities }) => entities)
    .find(entity => entity.id === source)?.user_id
  const end = valid_to ?? known_to
  return (
    <>
      {!isAlone && <h3 dir="auto">{user}</h3>}
      <Facts
        of={[
          ['Strength', <Strength key="strength" weight={weight} />],
          ['Since', valid_from && <Day at={valid_from} />],
          ['Until', end && <Day at={end} />],
        ]}
      />
      <h3>Memories that say so</h3>
      <Evidence about={{ relationship_id: id }} />
    </>
  )
}

const Strength = ({ weight }: { weight: number }) => (
  <>
    <meter min={0} max={1} value={weight} aria-label="Strength" /> {Math.round(weight * 100)} %
  </>
)
