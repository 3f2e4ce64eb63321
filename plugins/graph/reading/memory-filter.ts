import { Type } from '@sinclair/typebox'
import { plainArray, type Tenant, type Tx, text, uuid } from 'mneme/plugin'
import type { MemoryFilterSource } from '../../memories/contract.ts'
import { normalName } from '../resolve/normal-name.ts'
import { NAME_MAX } from '../schemas.ts'
import { memoriesNaming } from './entities.ts'

/** `entity_id`, `entity_name` and `relationship_id` of lists and searches of memories. What is not known leads to no memory. */
export const entityFilter: MemoryFilterSource = {
  id: 'graph.entities',
  parameters: Type.Object({
    entity_id: Type.Optional(uuid({ description: 'Memories that name this entity.' })),
    entity_name: Type.Optional(
      text({
        minLength: 1,
        maxLength: NAME_MAX,
        notBlank: true,
        description: 'Memories that name an entity of this name, whatever its letter case; aliases count.',
      }),
    ),
    relationship_id: Type.Optional(
      uuid({ description: 'Memories that say this relationship of the graph, or that it has ended.' }),
    ),
  }),
  async passing(tenant, { entity_id: id, entity_name: name, relationship_id: edgeId }) {
    // Looked up beforehand: with the ids at hand the planner knows whether few memories pass or many.
    const named = typeof name === 'string' ? await entitiesNamed(tenant, name) : undefined
    if (named?.length === 0) return { ids: [] }
    return {
      select(tx, workspaceId) {
        const sets = [
          ...(typeof id === 'string' ? [memoriesNaming(tx, workspaceId, tx`mention.entity_id = ${id}`)] : []),
          ...(named
            ? [memoriesNaming(tx, workspaceId, tx`mention.entity_id = any(${plainArray(named)}::uuid[])`)]
            : []),
          ...(typeof edgeId === 'string' ? [memoriesStating(tx, workspaceId, edgeId)] : []),
        ]
        return sets.reduce((both, more) => tx`${both} intersect ${more}`)
      },
    }
  },
}

function memoriesStating(tx: Tx, workspaceId: string, edgeId: string) {
  return tx`
    select evidence.memory_id
    from graph.evidence
    where evidence.workspace_id = ${workspaceId}
      and evidence.edge_id = ${edgeId}`
}

async function entitiesNamed(tenant: Tenant, name: string): Promise<string[]> {
  const rows = await tenant.transaction(
    tx => tx<{ entity_id: string }[]>`
      select distinct name.entity_id
      from graph.name
      where name.workspace_id = ${tenant.workspaceId}
        and name.normal_name = ${normalName(name)}`,
  )
  return rows.map(row => row.entity_id)
}
