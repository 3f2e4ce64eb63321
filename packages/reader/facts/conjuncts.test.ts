import { expect, test } from 'bun:test'
import { factsOfText } from './reading.test-support.ts'

function relationsIn(text: string): string[] {
  const { entities, relations } = factsOfText(text)
  return relations.map(({ type, target }) => `${type} ${entities[target]?.name}`).sort()
}

test.each([
  ['We use Airflow, dbt and Snowflake.', ['Airflow', 'Snowflake', 'dbt']],
  ['We use Go, sqlc, and NATS.', ['Go', 'NATS', 'sqlc']],
  ['We use Kafka, debezium, argocd & Vault every day.', ['Kafka', 'Vault', 'argocd', 'debezium']],
  ['We use Kafka, Redis and espanso.', ['Kafka', 'Redis', 'espanso']],
])('what is said of a list is said of all of it: %s', (text, tools) => {
  expect(relationsIn(text)).toEqual(tools.map(tool => `USES_TECHNOLOGY ${tool}`))
})

test.each([
  'We use Redis for caching, sessions and queues.',
  'We use Redis and write everything down, review it and ship on Fridays.',
  'We use Redis, lol.',
  'We use Redis and nobody is happy.',
])('what follows a list is none of it: %s', text => {
  expect(relationsIn(text)).toEqual(['USES_TECHNOLOGY Redis'])
})
