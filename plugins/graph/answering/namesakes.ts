import type { Tx } from '../../../core/db/database.ts'
import { plainArray } from '../../../core/db/literals.ts'
import type { EntityReference } from '../reading/edges.ts'
import type { Place } from './facts.ts'

/** Longer lists of people with one first name are cut: they are not one anyway. */
const NAMESAKES_MAX = 20

/**
 * Whom memories call by the first name alone, of somebody who is the only one with that first name, and the other way around:
 * "Pavel" and "Pavel Novak" are kept as two, since another Pavel may be meant, but where nothing is known of the one, what is
 * known of the other answers.
 */
export async function namesakesOf(
  tx: Tx,
  { workspaceId, at }: Place,
  ids: readonly string[],
): Promise<EntityReference[]> {
  const rows = await tx<
    { own_id: string; own_long: boolean; id: string; name: string; type: EntityReference['type']; long: boolean }[]
  >`
    select own.id as own_id, own.long as own_long, other.id, other.name, other.type, other.normal_name like '% %' as long
    from (
      select entity.id, entity.user_id, split_part(entity.normal_name, ' ', 1) as first, entity.normal_name like '% %' as long
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        and entity.id = any(${plainArray(ids)}::uuid[])
        and entity.type = 'PERSON'
        and not entity.is_user
    ) as own
    join graph.entity as other
      on other.workspace_id = ${workspaceId}
      and other.user_id = own.user_id
      and other.id <> own.id
      and other.type = 'PERSON'
      and not other.is_user
      and (other.normal_name = own.first or starts_with(other.normal_name, own.first || ' '))
    ${at === undefined ? tx`` : tx`where other.known_from <= ${at}`}
    order by other.id
    limit ${NAMESAKES_MAX}`
  return [...Map.groupBy(rows, row => row.own_id).values()].flatMap(others => {
    const [first] = others
    const longer = others.filter(({ long }) => long)
    if (!first || longer.length + Number(first.own_long) !== 1) return []
    return others.filter(({ long }) => long !== first.own_long).map(({ id, name, type }) => ({ id, name, type }))
  })
}
