import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Database, JobQueue, NewJob } from 'mneme/plugin'
import { createJobQueue } from '../../core/jobs/queue.ts'
import { gate } from '../support/gate.ts'
import { hurry, rowsOf } from '../support/jobs.ts'
import { until } from '../support/wait.ts'
import { gluttonPlugin, type Meal } from './cases/jobs.ts'
import { modestPlugin } from './cases/parts-of-plugins.ts'
import { startWith, type World } from './world.ts'

const done: string[] = []
const { open, opened } = gate()
const meal: Meal = { opened, running: 0, most: 0, eaten: 0 }
let world: World
let enqueue: (...jobs: NewJob[]) => Promise<void>

beforeAll(async () => {
  const lend = ({ jobs, database }: { jobs: JobQueue; database: Database }) => {
    enqueue = (...given) => database.system(tx => jobs.enqueue(tx, given))
  }
  world = await startWith([gluttonPlugin(meal, lend), modestPlugin(done)], { settings: { WORKER_CONCURRENCY: '8' } })
}, 120_000)

afterAll(() => world.stop())

const left = async (task: string) => (await rowsOf(world.database, task)).length
const outcome = (task: string, name: string) =>
  world.metric(`mneme_job_attempt_duration_seconds_count{task="${task}",outcome="${name}"}`)
const count = (length: number, job: NewJob) => Array.from({ length }, () => job)

test('jobs that flood the queue and take long leave places to those of others', async () => {
  await enqueue(...count(200, { task: 'glutton:eat', payload: {} }))
  await until('its share is full', async () => meal.running === 6)
  await enqueue(...count(20, { task: 'modest:work', payload: {} }))
  await until('the other plugin is served', async () => done.filter(word => word === 'worked').length === 20)
  expect([meal.most, meal.eaten]).toEqual([6, 0])
})

test('jobs that return nonsense, throw what is no error, or have a payload that nobody expects are done with', async () => {
  const picky = { task: 'glutton:picky', payload: { dish: 7 } }
  await expect(enqueue(picky)).rejects.toThrow(
    'plugin glutton: enqueues glutton:picky with a payload that does not fit: dish: expected string',
  )
  await enqueue({ task: 'glutton:odd', payload: {} }, { task: 'glutton:sick', payload: {} })
  // An earlier version of the plugin queued it.
  await world.database.system(tx => createJobQueue().enqueue(tx, [picky]))
  open()
  const tasks = ['glutton:odd', 'glutton:eat']
  await until('none is left', async () => {
    await hurry(world.database, 'glutton:eat')
    return (await Promise.all(tasks.map(left))).every(rows => rows === 0)
  })
  for (const task of ['glutton:sick', 'glutton:picky']) {
    await until(`${task} has failed`, async () => (await outcome(task, 'failed'))?.endsWith(' 1'))
    // An operator can have it tried again.
    await until('it is kept', async () => (await rowsOf(world.database, task))[0]?.last_error)
  }
  expect(meal.eaten).toBe(200)
  expect(await outcome('glutton:odd', 'completed')).toEndWith(' 1')
})

test('subscribers that throw or hang take nothing from the memory, nor from other subscribers', async () => {
  const { status } = await world.client.post('/v1/memories', { memory: 'The soup is hot.' })
  expect(status).toBe(201)
  await until('the other one heard', async () => done.includes('heard'))
  const [failed] = await until('it failed and waits', async () => {
    const rows = await rowsOf(world.database, 'core:deliver:glutton:throw')
    return rows.some(row => row.last_error !== null) && rows
  })
  expect(failed?.last_error).toBe('deaf in both ears')
  expect(await left('core:deliver:glutton:hang')).toBe(1)
})

test('an attempt that goes on after its time is abandoned, counted, and shown in /ready', async () => {
  await enqueue({ task: 'glutton:deaf', payload: {} })
  const ready = await until('it is shown', async () => {
    const body = await world.ready()
    return body.checks['plugin glutton'] === 'degraded' && body
  })
  expect(ready).toMatchObject({ status: 'ready', details: { 'plugin glutton': { attempts_overrunning: 1 } } })
  expect(await world.metric('mneme_job_attempts_overrunning{task="glutton:deaf"}')).toEndWith(' 1')
  expect(await left('glutton:deaf')).toBe(1)
})
