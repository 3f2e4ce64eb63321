import type { Entity, TraverseGraphResult } from '@mneme/client'
import { call } from '../../api.ts'
import type { GraphEdge, GraphNode } from './model.ts'

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
