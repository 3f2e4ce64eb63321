import type { Entity, GraphOverview, OverviewEdge, OverviewNode, TraverseGraphResult } from '@mneme/client'
import { call } from '../../api.ts'

/** The graph as the API tells it, and the part of it that is shown. Nothing here touches the page. */

export type GraphNode = Omit<OverviewNode, 'relationships_count'>
export type GraphEdge = Omit<OverviewEdge, 'current'>
export type Overview = Omit<GraphOverview, 'nodes' | 'edges'> & {
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
}

/** A node of the picture: an entity, or those of several users under one name. */
export interface SceneNode {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly isUser: boolean
  /** In milliseconds: when it was first known. */
  readonly from: number
  readonly entities: readonly GraphNode[]
}

/** A line of the picture: a relationship, or the same of several users. */
export interface SceneEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly type: string
  readonly weight: number
  /** In milliseconds: when each of them began to be known, and ended. */
  readonly spans: readonly { readonly from: number; readonly until: number }[]
  readonly relationships: readonly GraphEdge[]
}

export type Scene = { nodes: ReadonlyMap<string, SceneNode>; edges: ReadonlyMap<string, SceneEdge> }

export interface Filters {
  /** Left out of the picture. */
  readonly hiddenTypes: ReadonlySet<string>
  /** Empty for all. */
  readonly relations: ReadonlySet<string>
  readonly weightMin: number
  readonly hasFormer: boolean
  /** In milliseconds; undefined means now. */
  readonly at: number | undefined
}

/** The part of a scene that passes the filters, and what of it is over. */
export type Shown = { nodes: ReadonlySet<string>; edges: ReadonlyMap<string, 'holds' | 'former'> }

/** @param isTogether shows what has one name and type as one node, whoever's it is */
export function sceneOf({ nodes, edges }: Pick<Overview, 'nodes' | 'edges'>, isTogether: boolean): Scene {
  const groups = new Map<string, GraphNode[]>()
  const groupOf = new Map<string, string>()
  for (const node of nodes) {
    const key = isTogether ? `${node.type} ${node.name.toLowerCase()}` : node.id
    groups.set(key, [...(groups.get(key) ?? []), node])
  }
  const sceneNodes = new Map<string, SceneNode>()
  for (const entities of groups.values()) {
    const [first] = entities
    if (!first) continue
    const { id, name, type } = first
    const from = Math.min(...entities.map(({ known_from }) => Date.parse(known_from)))
    sceneNodes.set(id, { id, name, type, from, isUser: entities.some(({ is_user }) => is_user), entities })
    for (const entity of entities) groupOf.set(entity.id, id)
  }
  return { nodes: sceneNodes, edges: linesOf(edges, groupOf) }
}

function linesOf(edges: readonly GraphEdge[], groupOf: ReadonlyMap<string, string>): Map<string, SceneEdge> {
  const lines = new Map<string, { edge: GraphEdge; source: string; target: string; relationships: GraphEdge[] }>()
  for (const edge of edges) {
    const source = groupOf.get(edge.source)
    const target = groupOf.get(edge.target)
    if (source === undefined || target === undefined || source === target) continue
    const isAlone = source === edge.source && target === edge.target
    const key = isAlone ? edge.id : `${source} ${edge.type} ${target}`
    const line = lines.get(key) ?? { edge, source, target, relationships: [] }
    line.relationships.push(edge)
    lines.set(key, line)
  }
  return new Map(
    [...lines.values()].map(({ edge: { id, type }, source, target, relationships }) => {
      const weight = Math.max(...relationships.map(each => each.weight))
      return [id, { id, source, target, type, weight, spans: relationships.map(spanOf), relationships }]
    }),
  )
}

/** From when a relationship was known until it ended, by the rule of the API's `as_of`. */
function spanOf({ known_from, known_to, valid_to }: GraphEdge) {
  const ended = known_to ?? valid_to
  return { from: Date.parse(known_from), until: ended === null ? Number.POSITIVE_INFINITY : Date.parse(ended) }
}

export function shownOf({ nodes, edges }: Scene, filters: Filters): Shown {
  const { hiddenTypes, relations, weightMin, hasFormer } = filters
  const at = filters.at ?? Date.now()
  const passing = new Map<string, 'holds' | 'former'>()
  const isKnown = (id: string) => {
    const node = nodes.get(id)
    return node !== undefined && node.from <= at && !hiddenTypes.has(node.type)
  }
  const connected = new Set<string>()
  for (const { id, source, target, type, weight, spans } of edges.values()) {
    if (weight < weightMin || (relations.size > 0 && !relations.has(type))) continue
    const known = spans.filter(({ from }) => from <= at)
    const holds = known.some(({ until }) => until > at)
    if (known.length === 0 || !(holds || hasFormer) || !isKnown(source) || !isKnown(target)) continue
    passing.set(id, holds ? 'holds' : 'former')
    connected.add(source)
    connected.add(target)
  }
  // Whoever looks for certain relationships is not helped by entities without any.
  const areAllWanted = weightMin === 0 && relations.size === 0
  const shown = [...nodes.keys()].filter(id => connected.has(id) || (areAllWanted && isKnown(id)))
  return { nodes: new Set(shown), edges: passing }
}

/** Adds what is known around an entity; what is there already stays as it is. */
export function mergedWith(overview: Overview, nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Overview {
  const isNew = (known: readonly { id: string }[]) => {
    const ids = new Set(known.map(({ id }) => id))
    return ({ id }: { id: string }) => !ids.has(id)
  }
  return {
    ...overview,
    nodes: [...overview.nodes, ...nodes.filter(isNew(overview.nodes))],
    edges: [...overview.edges, ...edges.filter(isNew(overview.edges))],
  }
}

/** Counts how often each word comes. */
export function tally(words: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** When the first of them was known, in milliseconds. */
export const beginningOf = (nodes: readonly GraphNode[]): number =>
  nodes.reduce((least, { known_from }) => Math.min(least, Date.parse(known_from)), Date.now())

/** A walk does not tell since when something was known: it is shown on every day. */
const ALWAYS = new Date(0).toISOString()
const AROUND_MAX = 100

/** Reads an entity with what lies around it. */
export async function readAround(id: string): Promise<{ nodes: GraphNode[]; edges: GraphEdge[] }> {
  const query = { from: id, depth: 1, limit: AROUND_MAX, include_history: true }
  const [entity, walk] = await Promise.all([
    call<Entity>('GET', `/v1/graph/entities/${id}`),
    call<TraverseGraphResult>('GET', '/v1/graph/traverse', { query }),
  ])
  return {
    nodes: walk.nodes.map(node => ({
      ...node,
      description: node.id === id ? entity.description : null,
      user_id: entity.user_id,
      is_user: false,
      known_from: ALWAYS,
    })),
    edges: walk.edges.map(({ current, ...edge }) => ({
      ...edge,
      known_from: edge.valid_from ?? ALWAYS,
      known_to: current ? null : edge.valid_to,
    })),
  }
}
