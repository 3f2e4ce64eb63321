import iterate from 'graphology-layout-forceatlas2/iterate.js'

/** What a layout begins with, as the matrices of ForceAtlas2. */
export interface LayoutTask {
  readonly settings: object
  readonly nodes: Float32Array
  readonly edges: Float32Array
  readonly rounds: number
}

/** Positions are shown so often while they are computed. */
const SHOWN_EACH_MS = 120

self.addEventListener('message', ({ data: { settings, nodes, edges, rounds }, ports }: MessageEvent<LayoutTask>) => {
  let shownAt = performance.now()
  for (let round = 1; round <= rounds; round++) {
    iterate(settings, nodes, edges)
    const isDone = round === rounds
    if (!isDone && performance.now() - shownAt < SHOWN_EACH_MS) continue
    shownAt = performance.now()
    ports[0]?.postMessage({ nodes, isDone })
  }
})
