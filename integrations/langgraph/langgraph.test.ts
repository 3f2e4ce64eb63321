import { beforeAll, expect, test } from 'bun:test'
import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import { Mneme } from '@mneme/client'
import { preparedStore, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'
import { MnemeStore } from './index.ts'

let mneme: Mneme
let store: MnemeStore

beforeAll(async () => {
  const server = await startServer(await preparedStore())
  mneme = new Mneme({ url: server.url, key: server.apiKey })
  store = new MnemeStore({ mneme, user: ([user]) => user })
})

const keysOf = (items: readonly { readonly key: string }[]) => items.map(({ key }) => key).toSorted()

test('an item is read as it was put, until it is replaced or deleted', async () => {
  const value = { kind: 'taste', nested: { list: [1, 'two', null], 'a.b': true } }
  await store.put(['ada', 'facts'], 'one', value)
  const first = await store.get(['ada', 'facts'], 'one')
  expect(first).toMatchObject({ namespace: ['ada', 'facts'], key: 'one', value })
  await store.put(['ada', 'facts'], 'one', { kind: 'other' })
  const second = await store.get(['ada', 'facts'], 'one')
  expect(second).toMatchObject({ value: { kind: 'other' }, createdAt: first?.createdAt })
  expect(second?.updatedAt.getTime()).toBeGreaterThan(first?.updatedAt.getTime() ?? 0)
  expect(await store.get(['ada', 'facts'], 'two')).toBeNull()
  expect(await store.get(['ada'], 'one')).toBeNull()
  await store.delete(['ada', 'facts'], 'one')
  await store.delete(['ada', 'facts'], 'one')
  expect(await store.get(['ada', 'facts'], 'one')).toBeNull()
  await expect(store.put(['with.dot'], 'one', {})).rejects.toThrow('cannot contain periods')
  await expect(store.put(['ada'], 'large', { text: 'x'.repeat(70_000) })).rejects.toThrow()
})

test('equal values under several keys stay apart, also once they are processed', async () => {
  const value = { text: 'Bo drinks green tea.' }
  for (const key of ['a', 'b']) await store.put(['bo', 'facts'], key, value)
  await until('both are processed', async () => {
    const { data } = await mneme.list({ user_id: 'bo' })
    return data.length === 2 && data.every(({ status }) => status === 'COMPLETED')
  })
  expect(keysOf(await store.search(['bo']))).toEqual(['a', 'b'])
})

test('a query finds by meaning, within a prefix, what is indexed', async () => {
  await store.batch([
    { namespace: ['cy', 'facts'], key: 'dog', value: { text: 'Cy walks the dog every morning.' } },
    { namespace: ['cy', 'facts'], key: 'tax', value: { text: 'Cy pays taxes in April.' } },
    { namespace: ['cy', 'hidden'], key: 'pet', value: { text: 'The pet is a secret.' }, index: false },
    {
      namespace: ['cy', 'notes'],
      key: 'note',
      value: { title: 'x', body: [{ text: 'A puppy needs food.' }] },
      index: ['body[*].text'],
    },
  ])
  await until('all are processed', async () =>
    (await mneme.list({ user_id: 'cy' })).data.every(({ status }) => status === 'COMPLETED'),
  )
  const [first] = await store.search(['cy', 'facts'], { query: 'Which pet is taken out?' })
  expect([first?.key, typeof first?.score]).toEqual(['dog', 'number'])
  expect((await mneme.list({ user_id: 'cy', search: 'secret', mode: 'keyword' })).data).toEqual([])
  const [note] = await store.search(['cy', 'notes'], { query: 'puppy food' })
  expect(note?.key).toBe('note')
  expect((await store.search(['nobody'], { query: 'dog' })).length).toBe(0)
})

test('filters, pages and namespaces are as in the store that comes with LangGraph', async () => {
  const own = new MnemeStore({ mneme, name: 'compared' })
  const theirs = new InMemoryStore()
  const places = [['p'], ['p', 'a'], ['p', 'a', 'v1'], ['q', 'a', 'v1'], ['pp']]
  for (const each of [own, theirs]) {
    for (const [n, namespace] of places.entries())
      await each.put(namespace, 'k', { n, odd: n % 2 === 1, 'dotted.name': `v${n}`, $price: n })
  }
  const same = async <T>(read: (each: MnemeStore | InMemoryStore) => Promise<T>) =>
    expect(await read(own)).toEqual(await read(theirs))
  const filters = [{ n: 2 }, { odd: true }, { n: { $gte: 1, $lt: 3 } }, { n: { $ne: 0 } }, { n: { $in: [0, 4] } }]
  for (const filter of [...filters, { 'dotted.name': 'v1' }, { missing: 1 }])
    for (const prefix of [[], ['p'], ['p', 'a'], ['q']])
      await same(async each => (await each.search(prefix, { filter })).map(({ value }) => value.n).toSorted())
  const pages = await Promise.all([0, 2, 4, 6].map(offset => own.search([], { limit: 2, offset })))
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1, 0])
  expect(new Set(pages.flat().map(({ value }) => value.n)).size).toBe(5)
  await same(each => each.listNamespaces())
  await same(each => each.listNamespaces({ prefix: ['p'], maxDepth: 2 }))
  await same(each => each.listNamespaces({ prefix: ['*', 'a'], suffix: ['v1'] }))
  await same(each => each.listNamespaces({ limit: 2, offset: 1 }))
  await expect(own.search([], { filter: { n: { $nin: [1] } } })).rejects.toThrow()
})

test('of two processes that put a new key at once, the next write leaves one', async () => {
  const put = (n: number) => store.put(['di'], 'k', { n })
  await Promise.all([put(1), put(2), put(2)])
  await put(3)
  expect((await mneme.list({ user_id: 'di' })).total).toBe(1)
  expect((await store.get(['di'], 'k'))?.value).toEqual({ n: 3 })
})
