import { expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

test.each([
  ['My manager is Priya Raman.', 'I report to Priya.', ['REPORTS_TO Priya Raman']],
  ['My wife is Ana.', 'My wife Ana Lopez is a nurse.', ['MARRIED_TO Ana Lopez']],
  ['I live in Sevilla.', 'I live in Seville with my cat.', ['LIVES_IN Sevilla', 'LIVES_IN Seville']],
  ['My manager is Priya Raman.', 'My manager is Priyanka Shah.', ['REPORTS_TO Priyanka Shah']],
  ['I live in Sevilla.', 'I live in Granada.', ['LIVES_IN Granada']],
  ['Trabajo en el Hospital Virgen del Rocío.', 'Ya no trabajo en el Virgen del Rocío.', []],
])('after "%s", "%s" leaves what is, or may well be, the same', async (first, second, wanted) => {
  const { client } = await (await service()).account()
  const known = async (): Promise<string[]> => {
    const found = await client.get('/v1/graph/entities', { query: { user_id: 'ida', type: 'PERSON' } })
    const user = found.body.data.find(({ name }: { name: string }) => name === 'ida')
    if (!user) return []
    const { body } = await client.get(`/v1/graph/entities/${user.id}/relationships`)
    const all: string[] = body.outgoing.map(({ type, target }: Edge) => `${type} ${target.name}`)
    return all.filter(line => /^(?:REPORTS_TO|MARRIED_TO|LIVES_IN|WORKS_AT)/.test(line)).toSorted()
  }
  await client.post('/v1/memories', { memory: first, user_id: 'ida' })
  await until('the first', async () => (await known()).length > 0)
  await client.post('/v1/memories', { memory: second, user_id: 'ida' })
  await until('the second', async () => (await known()).join() === wanted.join())
  expect(await known()).toEqual(wanted)
})

interface Edge {
  readonly type: string
  readonly target: { readonly name: string }
}
