import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { service, type TestAccount, type TestService } from '../../../test/support/service.ts'
import { allRead, edgesOf, entitiesOf, faultsOf } from './writing.test-support.ts'

const TEXTS = [
  'I live in Porto.',
  'I moved to Lisbon.',
  'I work at Northwind Labs.',
  'I left Northwind Labs.',
  'I joined Contoso as an engineer.',
  'I also work at Globex part-time.',
  'My name is Noor.',
  'Noor likes coffee.',
  'Marta Silva works at Contoso.',
  'Marta Silva lives in Porto and Marta knows Pedro Costa.',
  'Pedro Costa is married to Marta Silva.',
  'I use Postgres and Rust.',
  'I no longer use Rust.',
  'I worked at Initech until 2019.',
  'I got laid off.',
  'I am done with Contoso.',
  'Marta Silva is single again.',
  'I work at Umbrella Labs. I got laid off. I live in Porto.',
]

type Step =
  | { readonly kind: 'create' | 'update'; readonly pick: number; readonly text: number }
  | { readonly kind: 'delete'; readonly pick: number }

const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('create' as const), pick: fc.nat(), text: fc.nat(TEXTS.length - 1) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('update' as const), pick: fc.nat(), text: fc.nat(TEXTS.length - 1) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
  ),
  { minLength: 4, maxLength: 12 },
)

/** The user is said to be Noor, and then no more: what others are described by is Noor again, not the user. */
const RENAMED: readonly Step[] = [
  { kind: 'create', pick: 0, text: TEXTS.indexOf('My name is Noor.') },
  { kind: 'create', pick: 0, text: TEXTS.indexOf('Noor likes coffee.') },
  { kind: 'update', pick: 0, text: TEXTS.indexOf('I joined Contoso as an engineer.') },
]

let running: TestService

beforeAll(async () => {
  running = await service()
})

/** Takes the steps that can be taken. @returns the texts that are left, in the order in which they were stored */
async function take({ client, workspaceId }: TestAccount, wanted: readonly Step[]): Promise<string[]> {
  const left: { id: string; text: string }[] = []
  for (const step of wanted) {
    const at = left.length === 0 ? -1 : step.pick % left.length
    const text = step.kind === 'delete' ? '' : (TEXTS[step.text] ?? '')
    const isThere = left.some(memory => memory.text === text)
    if (step.kind === 'create' && !isThere) {
      const { body } = await client.post('/v1/memories', { memory: text, user_id: 'u7' })
      left.push({ id: body.id, text })
    } else if (step.kind === 'update' && at >= 0 && !isThere) {
      const [memory] = left.splice(at, 1)
      if (!memory) continue
      await client.put(`/v1/memories/${memory.id}`, { memory: text })
      left.push({ id: memory.id, text })
    } else if (step.kind === 'delete' && at >= 0) {
      const [memory] = left.splice(at, 1)
      await client.delete(`/v1/memories/${memory?.id}`)
    }
    // Some steps find what the one before said, others come while it is read.
    if (step.pick % 2 === 0) await allRead(running, workspaceId, left.length)
  }
  await allRead(running, workspaceId, left.length)
  return left.map(({ text }) => text)
}

describe('the graph after memories came, changed and went', () => {
  test('holds what the memories that are left say, as if there had never been others', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async wanted => {
        const [used, fresh] = await Promise.all([running.account(), running.account()])
        const texts = await take(used, wanted)
        for (const memory of texts) {
          await fresh.client.post('/v1/memories', { memory, user_id: 'u7' })
          await allRead(running, fresh.workspaceId, texts.indexOf(memory) + 1)
        }
        expect(await faultsOf(running, used.workspaceId)).toEqual([])
        expect(await edgesOf(running, used.workspaceId)).toEqual(await edgesOf(running, fresh.workspaceId))
        expect(await entitiesOf(running, used.workspaceId)).toEqual(await entitiesOf(running, fresh.workspaceId))
      }),
      { numRuns: 12, endOnFailure: true, examples: [[[...RENAMED]]] },
    )
  })
})
