import { expect, test } from 'bun:test'
import { createLocalExtractor } from './local-extractor.ts'

const extractor = createLocalExtractor()

async function relationsIn(text: string): Promise<string[]> {
  const memory = { id: '1', text, userId: 'u7', createdAt: new Date('2026-06-15T12:00:00Z') }
  const [read] = await extractor.extract('w', [memory], AbortSignal.timeout(60_000))
  return (read?.relations ?? []).map(({ type, target }) => `${type} ${read?.entities[target]?.name}`).sort()
}

test.each([
  ['We use Airflow, dbt and Snowflake.', ['Airflow', 'Snowflake', 'dbt']],
  ['We use Go, sqlc, and NATS.', ['Go', 'NATS', 'sqlc']],
  ['We use Kafka, debezium, argocd & Vault every day.', ['Kafka', 'Vault', 'argocd', 'debezium']],
  ['We use Kafka, Redis and espanso.', ['Kafka', 'Redis', 'espanso']],
])('what is said of a list is said of all of it: %s', async (text, tools) => {
  expect(await relationsIn(text)).toEqual(tools.map(tool => `USES_TECHNOLOGY ${tool}`))
})

test.each([
  'We use Redis for caching, sessions and queues.',
  'We use Redis and write everything down, review it and ship on Fridays.',
  'We use Redis, lol.',
  'We use Redis and nobody is happy.',
])('what follows a list is none of it: %s', async text => {
  expect(await relationsIn(text)).toEqual(['USES_TECHNOLOGY Redis'])
})
