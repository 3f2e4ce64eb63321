import Graph from 'graphology'
import { inferSettings } from 'graphology-layout-forceatlas2'
import DEFAULTS from 'graphology-layout-forceatlas2/defaults.js'
import { assignLayoutChanges, graphToByteArrays } from 'graphology-layout-forceatlas2/helpers.js'
import type { AbstractGraph, Attributes } from 'graphology-types'
import Sigma from 'sigma'
import {
  DRAWN,
  type EdgeAttributes,
  type EdgeLook,
  type NodeAttributes,
  type NodeLook,
  palette,
  stylesOf,
} from './looks.ts'
import type { Scene, Shown } from './model.ts'

/** A node or an edge that the reader points at. */
export type Target = { readonly node: string } | { readonly edge: string } | undefined

export type Eye = { pointed: Target; chosen: Target; lit: ReadonlySet<string> }

export interface Handlers {
  onPoint(target: Target): void
  onChoose(target: Target): void
  onExpand(node: string): void
  onDrawn(): void
  /** The words between the ends of a relationship. */
  wordsOf(type: string): string
  /** The script of the thread that computes the layout. */
  readonly layoutScript: URL
}

const SIZE_MIN = 7
const SIZE_MAX = 34
/** More words upon each other could not be read. */
const WORDS_MAX = 45
const GO_MS = 350

/** A scene on a canvas, drawn by the graphics processor. It shares no module with the page, so that its libraries are loaded apart. */
export class Canvas {
  #graph: Graph<NodeAttributes, EdgeAttributes>
  readonly #sigma: Sigma<NodeAttributes, EdgeAttributes, Attributes, NodeLook, EdgeLook>
  readonly #given: Pick<Handlers, 'wordsOf' | 'layoutScript'>
  #endLayout: () => void = () => undefined
  #shown: Shown = { nodes: new Set(), edges: new Map() }
  #eye: Eye = { pointed: undefined, chosen: undefined, lit: new Set() }
  readonly #colours = { now: palette() }

  /** @throws where the browser has no WebGL */
  constructor(container: HTMLElement, scene: Scene, handlers: Handlers) {
    this.#given = handlers
    this.#graph = this.#graphOf(scene)
    this.#sigma = new Sigma(this.#graph, container, {
      primitives: DRAWN,
      styles: stylesOf(() => this.#colours.now),
      customNodeState: { isDim: false, isChosen: false, isLit: false, isNamed: false },
      customEdgeState: { isDim: false, isNear: false, isFormer: false, isNamed: false },
      settings: {
        enableEdgeEvents: true,
        renderEdgeLabels: true,
        edgeLabelAnchors: 'allNodes',
        labelDensity: 0.6,
        labelGridCellSize: 110,
        labelRenderedSizeThreshold: 5,
        minCameraRatio: 0.03,
        maxCameraRatio: 3,
        stagePadding: 40,
        edgePickingPadding: 3,
        minEdgeThickness: 0.6,
        hideEdgesOnMove: this.#graph.size > EDGES_MOVED_MAX,
        autoRescale: true,
      },
    })
    this.#listen(handlers)
    this.#layOut()
  }

  /** Shows another scene; what was there stays where it was. */
  setScene(scene: Scene): void {
    this.#endLayout()
    this.#graph = this.#graphOf(scene, this.#graph)
    this.#sigma.setGraph(this.#graph)
    this.#layOut()
  }

  /** Shows the part of the scene that passes the filters. */
  show(shown: Shown): void {
    this.#shown = shown
    const [seen, unseen] = parted(this.#graph.nodes(), id => shown.nodes.has(id))
    this.#sigma.setNodesState(seen, { isHidden: false })
    this.#sigma.setNodesState(unseen, { isHidden: true })
    const [held, others] = parted(this.#graph.edges(), id => shown.edges.get(id) === 'holds')
    const [former, hidden] = parted(others, id => shown.edges.has(id))
    this.#sigma.setEdgesState(held, { isHidden: false, isFormer: false })
    this.#sigma.setEdgesState(former, { isHidden: false, isFormer: true })
    this.#sigma.setEdgesState(hidden, { isHidden: true })
    this.look(this.#eye)
  }

  /** Brings out what the reader points at, chose, or asked for, with its neighbours; all else steps back. */
  look(eye: Eye): void {
    this.#eye = eye
    const near = this.#nearOf(eye.pointed ?? eye.chosen, eye.lit)
    const isAway = near.nodes.size > 0
    const [out, dim] = parted(this.#graph.nodes(), id => !isAway || near.nodes.has(id))
    const chosen = eye.chosen && 'node' in eye.chosen ? eye.chosen.node : undefined
    const plain = { isChosen: false, isLit: false, isNamed: false, isHighlighted: false }
    this.#sigma.setNodesState(out, { ...plain, isDim: false })
    this.#sigma.setNodesState(dim, { ...plain, isDim: true })
    const areNamed = near.nodes.size <= WORDS_MAX
    this.#sigma.setNodesState([...near.nodes], { isHighlighted: true, isNamed: areNamed })
    this.#sigma.setNodesState(
      [...eye.lit].filter(id => this.#graph.hasNode(id)),
      { isLit: true },
    )
    if (chosen !== undefined && this.#graph.hasNode(chosen))
      this.#sigma.setNodesState([chosen], { isChosen: true, isNamed: true })
    const [nearEdges, farEdges] = parted(this.#graph.edges(), id => near.edges.has(id))
    this.#sigma.setEdgesState(nearEdges, { isNear: true, isNamed: nearEdges.length <= WORDS_MAX, isDim: false })
    this.#sigma.setEdgesState(farEdges, { isNear: false, isNamed: false, isDim: isAway })
  }

  /** Moves to a node, so near that its neighbours can be read. */
  goTo(id: string): void {
    const data = this.#sigma.getNodeDisplayData(id)
    const camera = this.#sigma.getCamera()
    if (data) void camera.animate({ x: data.x, y: data.y, ratio: Math.min(camera.ratio, 0.35) }, motion())
  }

  /** Moves so that all of these are in sight. */
  goToAll(ids: readonly string[]): void {
    const places = ids.flatMap(id => this.#sigma.getNodeDisplayData(id) ?? [])
    if (places.length === 0) return
    const [left, right] = extentOf(places.map(({ x }) => x))
    const [top, bottom] = extentOf(places.map(({ y }) => y))
    const ratio = Math.min(1, Math.max(0.25, 1.8 * Math.max(right - left, bottom - top)))
    void this.#sigma.getCamera().animate({ x: (left + right) / 2, y: (top + bottom) / 2, ratio }, motion())
  }

  zoom(direction: 'in' | 'out'): void {
    const camera = this.#sigma.getCamera()
    void (direction === 'in' ? camera.zoomIn(motion()) : camera.zoomOut(motion()))
  }

  fit(): void {
    void this.#sigma.getCamera().reset(motion())
  }

  /** Takes the colours of the page again, after they changed. */
  recolour(): void {
    this.#colours.now = palette()
    this.#sigma.refresh()
  }

  kill(): void {
    this.#endLayout()
    this.#sigma.kill()
  }

  /** @param before what is in it already stays where it is */
  #graphOf({ nodes, edges }: Scene, before?: Graph<NodeAttributes, EdgeAttributes>) {
    const groups = Map.groupBy(nodes.values(), ({ entities }) => entities[0]?.user_id ?? '')
    const ids = new Map([...groups].map(([user, group]) => [user, group.map(({ id }) => id)]))
    const places = firstPlaces(ids)
    const graph = new Graph<NodeAttributes, EdgeAttributes>({ multi: true, type: 'directed' })
    for (const { id, name, type, isUser } of nodes.values()) {
      const { x, y } = (before?.hasNode(id) ? before.getNodeAttributes(id) : places.get(id)) ?? { x: 0, y: 0 }
      graph.addNode(id, { x, y, size: SIZE_MIN, name, type, isUser })
    }
    for (const { id, source, target, type, weight } of edges.values())
      graph.addDirectedEdgeWithKey(id, source, target, { weight, words: this.#given.wordsOf(type) })
    for (const id of graph.nodes())
      graph.setNodeAttribute(id, 'size', Math.min(SIZE_MAX, SIZE_MIN + 2.6 * Math.sqrt(graph.degree(id))))
    return graph
  }

  #layOut(): void {
    if (this.#graph.size === 0) return
    this.#endLayout = layOut(this.#graph, this.#given.layoutScript)
  }

  #listen({ onPoint, onChoose, onExpand, onDrawn }: Handlers): void {
    this.#sigma.once('afterRender', onDrawn)
    this.#sigma.on('enterNode', ({ node }) => onPoint({ node }))
    this.#sigma.on('leaveNode', () => onPoint(undefined))
    // From afar lines lie so close that the picture would flicker under the hand.
    this.#sigma.on('enterEdge', ({ edge }) => this.#isNear() && onPoint({ edge }))
    this.#sigma.on('leaveEdge', () => onPoint(undefined))
    this.#sigma.on('clickNode', ({ node }) => onChoose({ node }))
    this.#sigma.on('clickEdge', ({ edge }) => onChoose(this.#isNear() ? { edge } : undefined))
    this.#sigma.on('clickStage', () => onChoose(undefined))
    this.#sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
      preventSigmaDefault()
      onExpand(node)
    })
  }

  #isNear(): boolean {
    return this.#graph.size <= EDGES_APART_MAX || this.#sigma.getCamera().ratio < 0.5
  }

  /** Finds what a target is tied to among what is shown, and what an answer rests on. */
  #nearOf(target: Target, lit: ReadonlySet<string>) {
    const nodes = new Set([...lit].filter(id => this.#shown.nodes.has(id)))
    const edges = new Set<string>()
    const add = (edge: string, source: string, target: string) => {
      if (!this.#shown.edges.has(edge)) return
      edges.add(edge)
      nodes.add(source).add(target)
    }
    const between = [...nodes]
    for (const id of between)
      this.#graph.forEachOutEdge(id, (edge, _, source, target) => lit.has(target) && add(edge, source, target))
    if (target && 'edge' in target && this.#graph.hasEdge(target.edge))
      add(target.edge, this.#graph.source(target.edge), this.#graph.target(target.edge))
    if (target && 'node' in target && this.#graph.hasNode(target.node)) {
      nodes.add(target.node)
      this.#graph.forEachEdge(target.node, (edge, _, source, end) => add(edge, source, end))
    }
    return { nodes, edges }
  }
}

/** So many lines can be told apart from afar. */
const EDGES_APART_MAX = 300
/** With more edges a picture that is moved would not follow the hand. */
const EDGES_MOVED_MAX = 8_000

const motion = () => ({
  duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : GO_MS,
})

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const first: Item[] = []
  const second: Item[] = []
  for (const item of items) (isFirst(item) ? first : second).push(item)
  return [first, second]
}

const extentOf = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)]

/** A layout begins with this: the matrices of ForceAtlas2. */
export type LayoutTask = { settings: object; nodes: Float32Array; edges: Float32Array; rounds: number }

/** Enough for thousands of nodes to come to rest, and a second or two of one processor. */
const ROUNDS = 300
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

type Placed = { x: number; y: number }

/**
 * Gives places to begin with: each group around a point of its own on a spiral, so that the picture says something before the layout is
 * computed, and the same each time.
 */
export function firstPlaces(groups: ReadonlyMap<string, readonly string[]>): Map<string, Placed> {
  const places = new Map<string, Placed>()
  let taken = 0
  for (const ids of [...groups.values()].toSorted((a, b) => b.length - a.length)) {
    const far = groups.size === 1 ? 0 : Math.sqrt(taken + ids.length / 2) * 14
    const around = taken === 0 ? { x: 0, y: 0 } : { x: far * Math.cos(taken), y: far * Math.sin(taken) }
    for (const [n, id] of ids.entries()) {
      const radius = 8 * Math.sqrt(n)
      places.set(id, {
        x: around.x + radius * Math.cos(n * GOLDEN_ANGLE),
        y: around.y + radius * Math.sin(n * GOLDEN_ANGLE),
      })
    }
    taken += ids.length
  }
  return places
}

/** Moves the nodes of a graph to where they can be read, in a thread beside the page. @returns ends it at once */
export function layOut(graph: AbstractGraph, script: URL): () => void {
  const worker = new Worker(script, { type: 'module' })
  const { port1, port2 } = new MessageChannel()
  const end = () => {
    port1.close()
    worker.terminate()
  }
  const askOn = () => requestAnimationFrame(() => port1.postMessage('on'))
  port1.onmessage = ({ data: { nodes, isDone } }: MessageEvent<{ nodes: Float32Array; isDone: boolean }>) => {
    assignLayoutChanges(graph, nodes, null)
    if (isDone) end()
    else askOn()
  }
  const settings = {
    ...DEFAULTS,
    ...inferSettings(graph.order),
    barnesHutOptimize: graph.order > 300,
    edgeWeightInfluence: 0.5,
    linLogMode: true,
  }
  const matrices = graphToByteArrays(graph, (_edge: string, { weight }: Attributes) => Number(weight))
  const task: LayoutTask = { settings, ...matrices, rounds: ROUNDS }
  worker.postMessage(task, [port2])
  askOn()
  return end
}
