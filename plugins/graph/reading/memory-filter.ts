import { Type } from '@sinclair/typebox'
import { type Tx, text, uuid } from 'mneme/plugin'
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
  async resolve(tx, { workspaceId }, { entity_id: id, entity_name: name }) {
    const byId = typeof id === 'string' ? memoriesNaming(tx, workspaceId, tx`mention.entity_id = ${id}`) : undefined
    const byName =
      typeof name === 'string'
        ? memoriesNaming(tx, workspaceId, tx`mention.entity_id = any(${entitiesNamed(tx, workspaceId, name)})`)
        : undefined
    const [withId, withName] = await Promise.all([byId, byName])
    if (withId && withName) return [...withId.intersection(withName)]
    const only = withId ?? withName
    return only && [...only]
  },
}

async function memoriesNaming(tx: Tx, workspaceId: string, which: ReturnType<Tx>): Promise<Set<string>> {
  const rows = await tx<{ memory_id: string }[]>`
    select mention.memory_id
    from graph.mention
    where mention.workspace_id = ${workspaceId}
      and ${which}
    group by mention.memory_id`
  return new Set(rows.map(row => row.memory_id))
}

function entitiesNamed(tx: Tx, workspaceId: string, name: string) {
  return tx`array(
    select name.entity_id
    from graph.name
    where name.workspace_id = ${workspaceId}
      and name.normal_name = ${normalName(name)}
  )`
}
