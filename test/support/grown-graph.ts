import { createHash } from 'node:crypto'
import { en, Faker } from '@faker-js/faker'
import type { Database } from '../../core/db/database.ts'
import type { EntityType, RelationType } from '../../plugins/graph/contract.ts'

interface Entity {
  readonly id: string
  readonly user: string
  readonly type: EntityType
  readonly name: string
  readonly isUser: boolean
  readonly at: string
}

interface Edge {
  readonly id: string
  readonly memory: string
  readonly user: string
  readonly source: string
  readonly target: string
  readonly type: RelationType
  readonly weight: number
  readonly text: string
  readonly from: string
  readonly to: string | null
}

interface Wanted {
  readonly users: number
  readonly entities: number
  readonly edges: number
}

const DAYS = 400
const DAY_MS = 86_400_000
const WORDS: readonly (readonly [RelationType, EntityType, EntityType, string])[] = [
  ['WORKS_AT', 'PERSON', 'ORGANIZATION', 'works at'],
  ['LIVES_IN', 'PERSON', 'PLACE', 'lives in'],
  ['USES_TECHNOLOGY', 'PERSON', 'THING', 'uses'],
  ['KNOWS', 'PERSON', 'PERSON', 'knows'],
  ['COLLABORATES_WITH', 'PERSON', 'PERSON', 'works with'],
  ['LOCATED_IN', 'ORGANIZATION', 'PLACE', 'is in'],
  ['LIKES', 'PERSON', 'THING', 'likes'],
]

/**
 * Puts a graph into a workspace as if memories had told it over a year: several users, who know some of the same companies and towns, each
 * relationship with a memory, and one in nine of them over. It is the same at every run.
 */
export async function growGraph(database: Database, workspaceId: string, wanted: Wanted): Promise<void> {
  const { entities, edges } = tellStories(wanted)
  const asJson = (rows: readonly object[]) => JSON.stringify(rows)
  await database.workspace(workspaceId, async tx => {
    await tx`
      insert into graph.entity
        (workspace_id, id, user_id, type, name, normal_name, is_user, known_from, created_at, updated_at)
      select ${workspaceId}, row.id, row.user, row.type, row.name, lower(row.name), row."isUser", row.at, row.at, row.at
      from jsonb_to_recordset(${asJson(entities)}::text::jsonb)
        as row (id uuid, "user" text, type text, name text, "isUser" boolean, at timestamptz)`
    await tx`
      insert into graph.name (workspace_id, user_id, normal_name, entity_id)
      select entity.workspace_id, entity.user_id, entity.normal_name, entity.id
      from graph.entity
      where entity.workspace_id = ${workspaceId}`
    await tx`
      insert into graph.edge (
        workspace_id, id, user_id, source_id, target_id, type, known_from, known_to, weight, weighed_at, created_at, updated_at
      )
      select
        ${workspaceId}, row.id, row.user, row.source, row.target, row.type, row.from, row.to, row.weight, now(), row.from,
        row.from
      from jsonb_to_recordset(${asJson(edges)}::text::jsonb) as row (
        id uuid, "user" text, source uuid, target uuid, type text, "from" timestamptz, "to" timestamptz, weight real
      )`
    await tx`
      insert into graph.evidence (
        workspace_id, id, memory_id, user_id, source_id, target_id, type, edge_id, confidence, closes, span_start, span_end,
        stated_at, effective_at
      )
      select
        ${workspaceId}, gen_random_uuid(), row.memory, row.user, row.source, row.target, row.type, row.id, row.weight, false,
        0, 1, row.from, null
      from jsonb_to_recordset(${asJson(edges)}::text::jsonb) as row (
        id uuid, memory uuid, "user" text, source uuid, target uuid, type text, "from" timestamptz, weight real
      )`
    await tx`
      insert into graph.mention (
        workspace_id, memory_id, entity_id, user_id, names, normal_names, type, confidence, span_start, span_end, stated_at
      )
      select
        ${workspaceId}, row.memory, entity.id, row.user, array[entity.name], array[entity.normal_name], entity.type, 0.9, 0, 1,
        row.from
      from jsonb_to_recordset(${asJson(edges)}::text::jsonb)
        as row (memory uuid, "user" text, source uuid, target uuid, "from" timestamptz)
      join graph.entity on entity.workspace_id = ${workspaceId} and entity.id in (row.source, row.target)`
  })
  await database.system(
    tx => tx`
      insert into memories.memory (
        workspace_id, id, text, user_id, priority, status, categories, layer, source, content_hash, revision, progress_at,
        created_at, updated_at
      )
      select
        ${workspaceId}, row.memory, row.text, row.user, 'MEDIUM', 'COMPLETED', '{}', 'RAW', 'API',
        sha256(convert_to(row.text || row.memory, 'UTF8')), 1, now(), row.from, row.from
      from jsonb_to_recordset(${asJson(edges)}::text::jsonb)
        as row (memory uuid, text text, "user" text, "from" timestamptz)`,
  )
  // Else what looks for memories that were never read would read them.
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into graph.reading (
        workspace_id, memory_id, user_id, revision, extracted_by, due_at, read_at, text_hash, categories, stated_at
      )
      select ${workspaceId}, row.memory, row.user, 1, 'local', null, now(), '', '{}', row.from
      from jsonb_to_recordset(${asJson(edges)}::text::jsonb) as row (memory uuid, "user" text, "from" timestamptz)`,
  )
}

function tellStories({ users, entities: entitiesWanted, edges: edgesWanted }: Wanted) {
  const faker = new Faker({ locale: en, seed: 66 })
  const companies = faker.helpers.uniqueArray(() => faker.company.name(), 60)
  const towns = faker.helpers.uniqueArray(() => faker.location.city(), 60)
  const things = faker.helpers.uniqueArray(
    () => faker.commerce.product() + faker.helpers.arrayElement(['', ' kit', ' app']),
    60,
  )
  const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
  const entities: Entity[] = []
  const edges: Edge[] = []
  for (let u = 0; u < users; u++) {
    const people = faker.helpers.uniqueArray(() => faker.person.fullName(), Math.ceil(entitiesWanted / users / 2))
    const user = people[0]?.toLowerCase().replaceAll(/\W+/g, '-') ?? ''
    const each = Math.floor(entitiesWanted / users)
    const pools: readonly [EntityType, readonly string[], number][] = [
      ['PERSON', people, Math.ceil(each * 0.4)],
      ['ORGANIZATION', faker.helpers.shuffle(companies), Math.floor(each * 0.2)],
      ['PLACE', faker.helpers.shuffle(towns), Math.floor(each * 0.15)],
    ]
    const taken = pools.reduce((sum, [, , count]) => sum + count, 0)
    const all = [...pools, ['THING', faker.helpers.shuffle(things), each - taken] as const]
    const own = all.flatMap(([type, names, count]) =>
      names.slice(0, count).map((name, n): Entity => {
        const isUser = type === 'PERSON' && n === 0
        return {
          id: idOf(`${user} ${type} ${name}`),
          user,
          type,
          name,
          isUser,
          at: dayBefore(isUser ? DAYS : faker.number.int(DAYS)),
        }
      }),
    )
    entities.push(...own)
    edges.push(...relate(faker, own, Math.floor(edgesWanted / users)))
  }
  return { entities, edges }
}

function relate(faker: Faker, entities: readonly Entity[], wanted: number): Edge[] {
  const edges = new Map<string, Edge>()
  const ofType = (type: EntityType) => entities.filter(entity => entity.type === type)
  const [user] = entities
  while (edges.size < wanted) {
    const [type, from, to, words] = faker.helpers.arrayElement(WORDS)
    // Most of what a memory tells is about its user, or about one of few others.
    const place = Math.floor(faker.number.float() ** 2.2 * ofType(from).length)
    const source = from === 'PERSON' && faker.number.float() < 0.3 ? user : ofType(from)[place]
    const target = faker.helpers.arrayElement(ofType(to))
    if (!source || source === target) continue
    const id = idOf(`${source.id} ${type} ${target.id}`)
    const at = Math.max(Date.parse(source.at), Date.parse(target.at)) + faker.number.float() * 20 * DAY_MS
    const started = Math.min(at, Date.now() - DAY_MS)
    edges.set(id, {
      id,
      memory: idOf(`memory ${id}`),
      user: source.user,
      source: source.id,
      target: target.id,
      type,
      weight: faker.number.float({ min: 0.3, max: 0.98, fractionDigits: 2 }),
      text: `${source.name} ${words} ${target.name}.`,
      from: new Date(started).toISOString(),
      to: edges.size % 9 === 0 ? new Date(started + faker.number.float() * (Date.now() - started)).toISOString() : null,
    })
  }
  return [...edges.values()]
}

/** The same id for the same thing. */
function idOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
