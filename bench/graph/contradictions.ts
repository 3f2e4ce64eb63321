/**
 * Seeded life stories, told sentence by sentence over HTTP: moves, new jobs, dismissals, rehirings, corrections, marriages and
 * divorces, tastes and tools that change, and what was long ago but is told late. After each sentence the current answer is
 * checked, by relationships, by a question, and by whether the first result of a search for it tells what holds; at the end the former two with
 * `as_of` for every point in time.
 *
 *   bun bench/graph/contradictions.ts [--users 60] [--steps 8] [--set first|second|third-dev|third-held-out] [--failures]
 *   bun bench/graph/contradictions.ts --search-without validity      searches that do not know what holds, to compare with
 *   BENCH_DATABASE_URL=postgres://… bun bench/graph/contradictions.ts
 */
import { parseArgs } from 'node:util'
import type { Client } from '../../test/support/client.ts'
import { report } from '../support/measure.ts'
import { startReadService } from './read-service.ts'
import { makeStories, type State, type Story } from './stories.ts'
import { FIRST_SET, questionOf, RELATIONS, type Topic, type WordingSet } from './wordings.ts'
import { SECOND_SET } from './wordings-second.ts'
import { THIRD_DEV_SET, THIRD_HELD_OUT_SET } from './wordings-third.ts'

const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '60' },
    steps: { type: 'string', default: '8' },
    set: { type: 'string', default: 'first' },
    failures: { type: 'boolean', default: false },
    'search-without': { type: 'string', default: '' },
  },
})

const { sql, accounts, graphIsRead, stop } = await startReadService({ SEARCH_WITHOUT: options['search-without'] })

/** Counts checks by name: how many, how many right, and how many told what has ended as if it held. */
const tallies = new Map<string, { checked: number; right: number; stale: number }>()

// Each in a workspace of its own: two people may well say the same words.
const lives: Life[] = []
for (const story of makeStories(Number(options.users), Number(options.steps), setNamed(options.set)))
  lives.push({ ...story, client: (await accounts.make()).client })

const times: string[] = []
for (let step = 0; step < Number(options.steps); step++) {
  for (const { client, userId, told } of lives) await tell(client, userId, told[step]?.text)
  await graphIsRead()
  times.push(new Date().toISOString())
  for (const [n, life] of lives.entries()) await checkAll(life, step, n + step, undefined)
}
for (const [step, at] of times.entries()) for (const [n, life] of lives.entries()) await checkAll(life, step, n, at)

for (const [name, { checked, right, stale }] of tallies) {
  report(`${name}: right (of ${checked})`, (100 * right) / checked, '%', name.startsWith('all') ? 'at least 95' : '')
  if (stale > 0 || name.startsWith('all')) report(`${name}: what has ended stated as current`, stale, '', '0')
}
await stop()

function setNamed(name: string): WordingSet {
  const sets = new Map([
    ['first', FIRST_SET],
    ['second', SECOND_SET],
    ['third-dev', THIRD_DEV_SET],
    ['third-held-out', THIRD_HELD_OUT_SET],
  ])
  const set = sets.get(name)
  if (!set) throw new Error(`there is no set ${name}; there are ${[...sets.keys()].join(', ')}`)
  return set
}

interface Life extends Story {
  readonly client: Client
}

/** A statement that is told twice is stored once. */
async function tell(client: Client, userId: string, memory: string | undefined): Promise<void> {
  const { status, body } = await client.post('/v1/memories', { memory, user_id: userId })
  if (status !== 201 && status !== 409) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
}

async function succeed(sent: ReturnType<Client['post']>): Promise<unknown> {
  const { status, body } = await sent
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return body
}

async function checkAll(story: Life, step: number, n: number, at: string | undefined): Promise<void> {
  const after = story.told[step]?.after ?? {}
  for (const topic of Object.keys(RELATIONS)) {
    if (!isTopic(topic)) continue
    const state = after[topic]
    if (!state) continue
    const told = story.told.slice(0, step + 1).map(({ text }) => text)
    tally(at ? 'relationships at as_of' : 'relationships', topic, await byEdges(story, topic, at), state, told)
    const question = questionOf(topic, story.person, n)
    tally(at ? 'questions at as_of' : 'questions', topic, await byQuestion(story, question, state, at), state, [
      ...told,
      question,
    ])
    // A search has results even where nothing holds.
    if (!at && state.holds.length > 0)
      tally('first results', topic, await bySearch(story, question, state), state, [...told, question])
  }
}

function isTopic(name: string): name is Topic {
  return Object.hasOwn(RELATIONS, name)
}

interface Seen {
  readonly names: readonly string[]
  readonly shown: string
}

async function byEdges({ client, userId, person }: Life, topic: Topic, at: string | undefined): Promise<Seen> {
  const [subject] = await sql<{ id: string }[]>`
    select id
    from graph.entity
    where user_id = ${userId}
      and type = 'PERSON'
      and (${person === undefined} and is_user or name = ${person ?? ''})`
  if (!subject) return { names: [], shown: 'nobody' }
  const query = at ? { as_of: at } : {}
  const { body: found } = await client.get(`/v1/graph/entities/${subject.id}/relationships`, { query })
  const outgoing: { type: string; target: { name: string } }[] = found.outgoing ?? []
  const incoming: { type: string; source: { name: string } }[] = found.incoming ?? []
  const names = outgoing.filter(edge => edge.type === RELATIONS[topic]).map(edge => edge.target.name)
  // The person that one reports to is the one who manages one.
  if (topic === 'boss') names.push(...incoming.filter(edge => edge.type === 'MANAGES').map(edge => edge.source.name))
  return { names, shown: names.join(', ') }
}

/** The names of the topic that the answer has, as far as it may have any. */
async function byQuestion(
  { client, userId }: Life,
  query: string,
  state: State,
  at: string | undefined,
): Promise<Seen> {
  const found = await succeed(client.post('/v1/graph/query', { query, user_id: userId, ...(at ? { as_of: at } : {}) }))
  const answer = isRecord(found) ? String(found.answer) : ''
  const isUnknown = isRecord(found) && Number(found.confidence) <= 0.2
  const names = isUnknown
    ? []
    : [...state.holds, ...state.ended].filter(name => answer.toLowerCase().includes(name.toLowerCase()))
  return { names: isUnknown ? [] : names.length > 0 ? names : ['?'], shown: answer }
}

/** The first result is right if it tells what holds, whatever else it tells. */
async function bySearch({ client, userId }: Life, query: string, state: State): Promise<Seen> {
  const found = await succeed(client.post('/v1/memories/search', { query, user_id: userId }))
  const [first] = isRecord(found) && Array.isArray(found.data) ? found.data : []
  const text = String(first?.memory ?? '')
  const told = (names: readonly string[]) => names.filter(name => text.toLowerCase().includes(name.toLowerCase()))
  return { names: told(state.holds).length > 0 ? state.holds : told(state.ended), shown: text }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function tally(kind: string, topic: Topic, { names, shown }: Seen, state: State, told: readonly string[]): void {
  const seen = new Set(names.map(name => name.toLowerCase()))
  const wanted = new Set(state.holds.map(name => name.toLowerCase()))
  const isRight = seen.size === wanted.size && [...wanted].every(name => seen.has(name))
  const isStale = state.ended.some(name => seen.has(name.toLowerCase()))
  for (const name of [`all ${kind}`, `${kind}, ${topic}`]) {
    const one = tallies.get(name) ?? { checked: 0, right: 0, stale: 0 }
    tallies.set(name, {
      checked: one.checked + 1,
      right: one.right + Number(isRight),
      stale: one.stale + Number(isStale),
    })
  }
  if (!isRight && options.failures)
    console.log(`${kind} ${topic}: wanted [${state.holds}], got ${shown}\n    ${told.join('\n    ')}`)
}
