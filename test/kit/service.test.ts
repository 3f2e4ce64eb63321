import { describe, expect, test } from 'bun:test'
import {
  accepted,
  definePlugin,
  type JobQueue,
  ok,
  routesOf,
  type Tenant,
  type TenantDirectory,
  Type,
  tasksOf,
} from 'mneme/plugin'
import { type Client, startTestService, type TestService } from 'mneme/testing'
import { onEnd } from '../support/closing.ts'
import { failure } from '../support/control-plane.ts'
import { documentedPlugin } from '../support/documented.ts'

interface Scope {
  readonly jobs: JobQueue
  readonly tenants: TenantDirectory
  readonly done: string[]
}

const route = routesOf<Scope>()
const task = tasksOf<Scope>()
const HOUR_MS = 3_600_000
const step = Type.Object({
  name: Type.String(),
  next: Type.Optional(Type.String()),
  inMs: Type.Optional(Type.Integer()),
})

/** Jobs that note their name and add the next one, and a route against its own schema. */
function chainPlugin(done: string[]) {
  const add = (jobs: JobQueue, tenant: Pick<Tenant, 'transaction'>, payload: Record<string, unknown>, inMs = 0) =>
    tenant.transaction(tx => jobs.enqueue(tx, [{ task: 'chain:step', payload, runAt: new Date(Date.now() + inMs) }]))
  return definePlugin({
    id: 'chain',
    version: '1.0.0',
    apiVersion: 1,
    routes: [
      route({
        method: 'POST',
        path: '/v1/x/chain/steps',
        access: 'anyKey',
        summary: 'Add a step',
        body: step,
        responses: { 202: Type.Object({ message: Type.String() }) },
        async handle({ body, tenant, scope }) {
          await add(scope.jobs, tenant, { ...body, workspace: tenant.workspaceId }, body.inMs)
          return accepted({ message: 'added' })
        },
      }),
      route({
        method: 'GET',
        path: '/v1/x/chain/wrong',
        access: 'anyKey',
        summary: 'Response against the schema',
        responses: { 200: Type.Object({ count: Type.Integer() }) },
        handle: () => ok({ count: 'three' }),
      }),
    ],
    tasks: [
      task({
        name: 'chain:step',
        payload: Type.Object({ ...step.properties, workspace: Type.String() }),
        async run({ payload: { name, next, workspace }, scope: { jobs, tenants, done: noted } }) {
          if (name === 'broken') throw new Error('the chain is rusty')
          noted.push(name)
          if (next !== undefined) await add(jobs, await tenants.tenant(workspace), { name: next, workspace })
        },
      }),
    ],
    setup: ({ jobs, tenants }) => ({ scope: { jobs, tenants, done } }),
  })
}

async function chain(): Promise<{ service: TestService; client: Client; done: string[] }> {
  const done: string[] = []
  const service = await startTestService({ plugins: [chainPlugin(done)], settings: { LOG_LEVEL: 'silent' } })
  onEnd(service.stop)
  return { service, client: (await service.account()).client, done }
}

describe('a service for the tests of a plugin', () => {
  test('waits for jobs and for those that they add, and for later ones only when asked to run them early', async () => {
    const { service, client, done } = await chain()
    await client.post('/v1/x/chain/steps', { name: 'one', next: 'two' })
    await client.post('/v1/x/chain/steps', { name: 'later', next: 'last', inMs: HOUR_MS })
    await service.jobsDone()
    expect(done).toEqual(['one', 'two'])
    await service.jobsDone({ early: true })
    expect(done).toEqual(['one', 'two', 'later', 'last'])
  })

  test('says which job failed and why, instead of waiting for its next attempt', async () => {
    const { service, client } = await chain()
    await client.post('/v1/x/chain/steps', { name: 'broken' })
    expect((await failure(service.jobsDone()))?.message).toBe(
      'the job chain:step failed in attempt 1: the chain is rusty',
    )
  })

  test('answers 500 where a plugin answers against its own schema', async () => {
    const { client } = await chain()
    expect(await client.get('/v1/x/chain/wrong')).toMatchObject({ status: 500, body: { error_code: 'INTERNAL_ERROR' } })
  })

  test('keeps accounts apart, with keys of chosen permissions', async () => {
    const { service } = await chain()
    const [one, other] = [await service.account(), await service.account()]
    const { id } = (await one.client.post('/v1/memories', { memory: 'The chain is in the shed.' })).body
    expect((await other.client.get(`/v1/memories/${id}`)).status).toBe(404)
    const reader = await one.key({ permissions: ['memory.read'] })
    expect((await reader.get(`/v1/memories/${id}`)).status).toBe(200)
    expect((await reader.delete(`/v1/memories/${id}`)).status).toBe(403)
    expect((await service.anonymous.get('/v1/memories')).status).toBe(401)
  })

  test('removes at once what is older than it is kept', async () => {
    const service = await startTestService({ plugins: [await documentedPlugin('counter.ts')] })
    onEnd(service.stop)
    const { client, workspaceId } = await service.account()
    for (const text of ['old', 'new words']) await client.post('/v1/x/counter/texts', { text })
    await service.jobsDone()
    await service.database.workspace(
      workspaceId,
      tx => tx`
        update x_counter.text set created_at = now() - interval '31 days'
        where workspace_id = ${workspaceId} and text = 'old'`,
    )
    await service.purge()
    expect((await client.get('/v1/x/counter/words')).body).toEqual({ words: 2 })
  })

  test('is gone with its database once it is stopped, however often that is asked', async () => {
    const { service } = await chain()
    await Promise.all([service.stop(), service.stop()])
    expect(await failure(service.database.system(tx => tx`select 1`))).toBeInstanceOf(Error)
  })
})
