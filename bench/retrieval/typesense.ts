import { FAKE_KEY, FakeTypesense } from '../../plugins/search/engine/typesense/fake/cluster.test-support.ts'
import { onEnd } from '../../test/support/closing.ts'
import { until } from '../../test/support/wait.ts'

export interface BenchIndex {
  /** Settings that a service needs to search it. */
  readonly settings: Readonly<Record<string, string>>
  readonly description: string
}

/**
 * The index to search through: `fake` for the one that the tests use, which shows that nothing gets lost on the way and nothing
 * about speed, or the addresses of a real server, with its key in TYPESENSE_API_KEY.
 */
export async function openIndex(where: string): Promise<BenchIndex> {
  if (where !== 'fake') {
    const TYPESENSE_API_KEY = process.env.TYPESENSE_API_KEY ?? ''
    return { settings: { TYPESENSE_URL: where, TYPESENSE_API_KEY }, description: `Typesense at ${where}` }
  }
  const fake = new FakeTypesense(1, 'bench.test')
  await fake.start()
  onEnd(() => fake.stop())
  return {
    settings: { TYPESENSE_URL: fake.urls.join(), TYPESENSE_API_KEY: FAKE_KEY },
    description: 'a fake Typesense: this shows the way there and back, nothing about its speed',
  }
}

/** Resolves when everything was sent. */
export async function everythingSent(metrics: () => Promise<string>): Promise<void> {
  await until(
    'the index has everything',
    async () => (await gauge(metrics, 'mneme_search_index_waiting')) === 0,
    600_000,
  )
}

/** Searches that Postgres had to answer. */
export function fallbacks(metrics: () => Promise<string>): Promise<number> {
  return gauge(metrics, 'mneme_search_fallbacks')
}

async function gauge(metrics: () => Promise<string>, name: string): Promise<number> {
  const line = (await metrics()).split('\n').find(text => text.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? Number.NaN)
}
