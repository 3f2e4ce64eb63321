import { Type } from '@sinclair/typebox'
import { type Fragment, type Tx, text, uuid } from 'mneme/plugin'
import type { MemoryFilterSource } from '../../memories/contract.ts'
import { normalName } from '../resolve/normal-name.ts'
import { NAME_MAX } from '../schemas.ts'

/** `entity_id` and `entity_name` of lists and searches of memories. What is not known leads to no memory. */
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
  }),
  passing: (_, { entity_id: id, entity_name: name }) => ({
    select(tx, workspaceId) {
      const conditions = [
        ...(typeof id === 'string' ? [tx`mention.entity_id = ${id}`] : []),
        ...(typeof name === 'string' ? [tx`mention.entity_id = any(${entitiesNamed(tx, workspaceId, name)})`] : []),
      ]
      return conditions
        .map(condition => memoriesNaming(tx, workspaceId, condition))
        .reduce((both, naming) => tx`${both} intersect ${naming}`)
    },
  }),
}

function memoriesNaming(tx: Tx, workspaceId: string, which: Fragment) {
  return tx`
    select mention.memory_id
    from graph.mention
    where mention.workspace_id = ${workspaceId}
      and ${which}`
}

function entitiesNamed(tx: Tx, workspaceId: string, name: string) {
  return tx`array(
    select name.entity_id
    from graph.name
    where name.workspace_id = ${workspaceId}
      and name.normal_name = ${normalName(name)}
  )`
}
