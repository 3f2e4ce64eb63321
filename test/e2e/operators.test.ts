import { beforeAll, describe, expect, test } from 'bun:test'
import { filesWith, read } from '../architecture/source.ts'
import { service } from '../support/service.ts'

const METRIC = /\b(?:mneme|plugin|http_server)_[a-z_]+\b/g
/** Series of a histogram or summary beside its own name. */
const SUFFIX = /_(?:bucket|count|sum)$/

/** The labels of each metric, as the document lists them. */
const documented = new Map<string, { labels: readonly string[]; what: string }>(
  [...read('docs/operating.md').matchAll(/^\| `([a-z_]+)` \| (.*?) ?\| (.+) \|$/gm)].map(
    ([, name = '', labels = '', what = '']) => [name, { labels: labels.match(/[a-z_]+/g) ?? [], what }],
  ),
)
const exposed = new Map<string, Set<string>>()

beforeAll(async () => {
  const { anonymous, account } = await service()
  const { client } = await account()
  await client.post('/v1/memories', { memory: 'Ada likes tea.' })
  await client.get('/v1/memories/search', { query: { query: 'tea' } })
  const { body: text } = await anonymous.get('/metrics')
  expect(text).toBeString()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) exposed.set(name, new Set())
  for (const [, series = '', labels = ''] of text.matchAll(/^([a-z_]+)\{([^}]*)\}/gm)) {
    const known = exposed.get(series) ?? exposed.get(series.replace(SUFFIX, ''))
    for (const [, label = ''] of labels.matchAll(/([a-z_]+)="/g)) if (label !== 'le') known?.add(label)
  }
})

const ours = (name: string) => !/^(?:process|nodejs)_/.test(name)

describe('metrics', () => {
  test('are all documented, with the labels they have', () => {
    const found = [...exposed].filter(([name]) => ours(name))
    expect(found.length).toBeGreaterThan(30)
    expect(found.map(([name]) => name).filter(name => !documented.has(name))).toEqual([])
    for (const [name, labels] of found) {
      expect(
        [name, ...labels].filter(label => label !== name && !documented.get(name)?.labels.includes(label)),
      ).toEqual([])
    }
  })

  test('that are documented are there, those of Typesense and the reranker where they are used', () => {
    const absent = [...documented].filter(([name]) => !exposed.has(name))
    expect(absent.filter(([, { what }]) => !what.startsWith('with '))).toEqual([])
    const code = filesWith('.ts')
      .filter(path => path.startsWith('plugins/search/'))
      .map(read)
      .join('\n')
    for (const [name] of absent) expect(code).toContain(`'${name}'`)
  })

  test('the Grafana dashboard shows only what there is, and every metric of ours', () => {
    const text = read('docs/grafana/mneme.json')
    const named = new Set((text.match(METRIC) ?? []).map(name => name.replace(SUFFIX, '')))
    const known = (name: string) => exposed.has(name) || documented.has(name)
    expect([...named].filter(name => !known(name))).toEqual([])
    const limits = [
      'mneme_share_limit',
      'mneme_cache_limit_bytes',
      'mneme_reembedding_running',
      'mneme_reembedding_failures',
    ]
    expect([...documented.keys()].filter(name => !named.has(name)).toSorted()).toEqual(limits.toSorted())
    const others = text.match(/\b(?:process|nodejs)_[a-z0-9_]+\b/g) ?? []
    expect(others.filter(name => !exposed.has(name))).toEqual([])
    const ids = JSON.parse(text).panels.map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
