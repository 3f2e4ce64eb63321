import { inferSettings } from 'graphology-layout-forceatlas2'
import DEFAULTS from 'graphology-layout-forceatlas2/defaults.js'
import { assignLayoutChanges, graphToByteArrays } from 'graphology-layout-forceatlas2/helpers.js'
import type { AbstractGraph, Attributes } from 'graphology-types'

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
