import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { builtInPlugins } from '../../server/plugins.ts'

const events = builtInPlugins.flatMap(({ id, emits = [] }) => emits.map(event => ({ owner: id, ...event })))

test('every event of a built-in plugin has a label, a schema and an example that fits it', () => {
  const wanting = events.filter(
    ({ label, schema, example }) => !(label && schema && example && Value.Check(schema, example)),
  )
  expect(wanting.map(({ owner, kind }) => `${owner} ${kind}`)).toEqual([])
  expect(events.length).toBeGreaterThan(10)
})
