/**
 * Tells short talks of one to three memories, chats, notes and minutes, and compares the entities and relationships that they add up to
 * with labels: names that are said in full once and in short later, lists, and what ends.
 *
 *   bun bench/graph/talks.ts [--half dev|held-out] [--faults]
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { report } from '../support/measure.ts'
import { startReadService } from './read-service.ts'

const { values: options } = parseArgs({
  options: { half: { type: 'string', default: 'dev' }, faults: { type: 'boolean', default: false } },
})
const SYMMETRIC = new Set(['MARRIED_TO', 'KNOWS', 'COLLABORATES_WITH', 'RELATED_TO'])

/** Entities are "TYPE Name", relationships "Source | TYPE | Target", with "-" before those that hold no more; what may be drawn or not is apart. */
const talk = Type.Object({
  told: Type.Array(Type.String()),
  entities: Type.Array(Type.String()),
  edges: Type.Array(Type.String()),
  may: Type.Array(Type.String()),
  mayEdges: Type.Array(Type.String()),
})

const { sql, accounts, graphIsRead, stop } = await startReadService()
const talks = await read(options.half)
const told: { readonly talk: Static<typeof talk>; readonly workspaceId: string }[] = []
for (const one of talks) {
  const { client, workspaceId } = await accounts.make()
  told.push({ talk: one, workspaceId })
  for (const memory of one.told) {
    const { status, body } = await client.post('/v1/memories', { memory, user_id: 'u' })
    if (status !== 201) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
    await graphIsRead()
  }
}
const entities = { right: 0, wrong: 0, missed: 0 }
const edges = { right: 0, wrong: 0, missed: 0 }
for (const { talk: one, workspaceId } of told) {
  compare(one.told, entities, await entitiesOf(workspaceId), { wanted: one.entities, may: one.may })
  const sorted = { wanted: one.edges.map(inOrder), may: one.mayEdges.map(inOrder) }
  compare(one.told, edges, (await edgesOf(workspaceId)).map(inOrder), sorted)
}
for (const [name, { right, wrong, missed }] of Object.entries({ entities, edges })) {
  const [precision, recall] = [right / (right + wrong), right / (right + missed)]
  report(`${name}: precision`, precision, '', '')
  report(`${name}: recall`, recall, '', '')
  report(`${name}: F1`, (2 * precision * recall) / (precision + recall), '', '')
}
await stop()

async function read(half: string): Promise<Static<typeof talk>[]> {
  const lines = (await readFile(new URL(`./talks/${half}.jsonl`, import.meta.url), 'utf8')).trim().split('\n')
  return lines.map(line => Value.Parse(talk, JSON.parse(line)))
}

async function entitiesOf(workspaceId: string): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select entity.type || ' ' || entity.name as line
    from graph.entity
    where entity.workspace_id = ${workspaceId} and not entity.is_user`
  return rows.map(({ line }) => line)
}

async function edgesOf(workspaceId: string): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select
      case when edge.known_to is null then '' else '-' end
      || case when source.is_user then '@user' else source.name end
      || ' | ' || edge.type || ' | '
      || case when target.is_user then '@user' else target.name end as line
    from graph.edge
    join graph.entity as source on source.workspace_id = edge.workspace_id and source.id = edge.source_id
    join graph.entity as target on target.workspace_id = edge.workspace_id and target.id = edge.target_id
    where edge.workspace_id = ${workspaceId}`
  return rows.map(({ line }) => line)
}

/** Names the ends of what is the same from either in one order. */
function inOrder(edge: string): string {
  const [source = '', type = '', target = ''] = edge.replace(/^-/, '').split(' | ')
  const ends = SYMMETRIC.has(type) && target < source ? [target, source] : [source, target]
  return `${edge.startsWith('-') ? '-' : ''}${ends[0]} | ${type} | ${ends[1]}`
}

function compare(
  texts: readonly string[],
  counts: { right: number; wrong: number; missed: number },
  found: readonly string[],
  { wanted, may }: { readonly wanted: readonly string[]; readonly may: readonly string[] },
): void {
  const wrong = found.filter(one => !wanted.includes(one) && !may.includes(one))
  const missed = wanted.filter(one => !found.includes(one))
  counts.right += wanted.length - missed.length
  counts.wrong += wrong.length
  counts.missed += missed.length
  if (options.faults && wrong.length + missed.length > 0)
    console.log(`${texts.join(' / ')}\n  wrong  ${wrong.join('; ')}\n  missed ${missed.join('; ')}`)
}
