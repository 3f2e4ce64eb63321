/** A module that the build puts into a file of its own, with all that it imports; this is its name. */
declare module '*.ts?url' {
  const name: string
  export default name
}

declare module 'graphology-layout-forceatlas2/iterate.js' {
  /** Does one round, in place. */
  export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): object
}

declare module 'graphology-layout-forceatlas2/defaults.js' {
  const settings: object
  export default settings
}

declare module 'graphology-layout-forceatlas2/helpers.js' {
  import type { AbstractGraph, Attributes } from 'graphology-types'

  export function graphToByteArrays(
    graph: AbstractGraph,
    weightOf: (edge: string, attributes: Attributes) => number,
  ): { nodes: Float32Array; edges: Float32Array }
  export function assignLayoutChanges(graph: AbstractGraph, nodes: Float32Array, reduce: null): void
}
