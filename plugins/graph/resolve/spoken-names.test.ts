import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { allRead, faultsOf } from '../writing/writing.test-support.ts'

/** Stores texts through the service, which reads them without a language model, and lists the entities that they make. */
async function entitiesFrom(texts: readonly string[]): Promise<string[]> {
  const running = await service()
  const { client, workspaceId } = await running.account()
  for (const [n, memory] of texts.entries()) {
    expect((await client.post('/v1/memories', { memory, user_id: 'ada' })).status).toBe(201)
    // One after the other, so that the order in which they are told is the order in which they are read.
    await allRead(running, workspaceId, n + 1)
  }
  expect(await faultsOf(running, workspaceId)).toEqual([])
  const { body } = await client.get('/v1/graph/entities?user_id=ada&page_size=100')
  return body.data.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`).sort()
}

const JOB = 'Oskar Brandt works at Lindal Freight as a dispatcher.'
const TOOLS = 'Lindal Freight uses MySQL and RabbitMQ.'
const BRANCH = 'Rosa Vidal runs the Porto branch of Velmar'

describe('names in the texts of a user, read without a language model', () => {
  for (const texts of [
    [JOB, TOOLS],
    [TOOLS, JOB],
  ]) {
    test(`an employer is one organization, and its tools are things: ${texts.join(' ')}`, async () => {
      expect(await entitiesFrom(texts)).toEqual([
        'ORGANIZATION Lindal Freight',
        'PERSON Oskar Brandt',
        'THING MySQL',
        'THING RabbitMQ',
      ])
    })
  }

  test('a town that tells which branch is meant stays a place beside what else is said of it', async () => {
    expect(await entitiesFrom([BRANCH, 'Rosa Vidal lives in Porto.', 'Velmar hired Oskar Brandt.'])).toEqual([
      'ORGANIZATION Velmar',
      'PERSON Oskar Brandt',
      'PERSON Rosa Vidal',
      'PLACE Porto',
    ])
  })

  test('well-known tools are neither people nor organizations, whoever uses or likes them', async () => {
    const told = [
      'We use Redis and Kafka at Velmar.',
      'Kubernetes runs our jobs.',
      'Rosa Vidal prefers Postgres over MongoDB.',
      'Oskar Brandt likes Grafana.',
      'Docker and Terraform are on my laptop.',
    ]
    const tools = ['Docker', 'Grafana', 'Kafka', 'Kubernetes', 'MongoDB', 'Postgres', 'Redis', 'Terraform']
    const found = await entitiesFrom(told)
    expect(found.filter(line => tools.some(tool => line.endsWith(` ${tool}`)))).toEqual(
      tools.map(tool => `THING ${tool}`),
    )
  })
})
