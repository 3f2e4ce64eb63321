import { plainArray, type Tx } from 'mneme/plugin'
import type { EntityReference } from '../reading/edges.ts'
import type { Place } from './facts.ts'

/** Several people with one first name are ambiguous. */
const NAMESAKES_MAX = 20

/**
 * Joins people called by the first name or the surname alone with the only person of that name, and the other way around:
 * "Pavel" and "Pavel Novak" are kept as two, since another Pavel may be meant, but where nothing is known of the one, what is
 * known of the other answers.
 */
export async function namesakesOf(
  tx: Tx,
  { workspaceId, at }: Place,
  ids: readonly string[],
): Promise<EntityReference[]> {
  const rows = await tx<NamesakeRow[]>`
    select own.id as own_id, own.normal_name as own_name, other.id, other.name, other.type, other.normal_name
    from (
      select
        entity.id, entity.user_id, entity.normal_name, split_part(entity.normal_name, ' ', 1) as first,
        substring(entity.normal_name from '[^ ]+$') as last
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        and entity.id = any(${plainArray(ids)}::uuid[])
        and entity.type = 'PERSON'
        and not entity.is_user
    ) as own
    join graph.entity as other
      on other.workspace_id = ${workspaceId}
      and other.user_id = own.user_id
      and other.type = 'PERSON'
      and other.id <> own.id
      and not other.is_user
      and (
        other.normal_name in (own.first, own.last)
        or starts_with(other.normal_name, own.first || ' ')
        or right(other.normal_name, length(own.last) + 1) = ' ' || own.last
      )
    ${at === undefined ? tx`` : tx`where other.known_from <= ${at}`}
    order by other.id
    limit ${NAMESAKES_MAX + 1}`
  if (rows.length > NAMESAKES_MAX) return []
  return [...Map.groupBy(rows, row => row.own_id).values()].flatMap(others =>
    others.filter(other => isOnlyOne(other, others)).map(({ id, name, type }) => ({ id, name, type })),
  )
}

interface NamesakeRow {
  readonly own_id: string
  readonly own_name: string
  readonly id: string
  readonly name: string
  readonly type: EntityReference['type']
  readonly normal_name: string
}

/** One of the two names is short for the other, and for that of nobody else. */
function isOnlyOne({ own_name: own, normal_name: name }: NamesakeRow, others: readonly NamesakeRow[]): boolean {
  const [short, whole] = own.length < name.length ? [own, name] : [name, own]
  if (short.includes(' ') || !isShortFor(short, whole)) return false
  const wholes = new Set([own, ...others.map(other => other.normal_name)].filter(one => isShortFor(short, one)))
  return wholes.size === 1
}

function isShortFor(short: string, whole: string): boolean {
  return whole.startsWith(`${short} `) || whole.endsWith(` ${short}`)
}
