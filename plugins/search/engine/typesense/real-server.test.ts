import { afterAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { ownDatabaseUrl } from '../../../../test/support/database.ts'
import { engineConformance } from '../conformance/engine.conformance.ts'
import type { TypesenseEngine } from './index.ts'
import { isCollectionOf, vectorsOf } from './schema.ts'
import { rebuild } from './upkeep.ts'
import { verifyIndex } from './verify.ts'
import { openDatabase, openOn, settle, settled } from './world.test-support.ts'

/**
 * These variables name a real server for the tests, which create and drop collections that begin with `mneme_test_`. Without them the
 * runner leaves this file out (`test/needs.json`).
 */
const { TYPESENSE_URL: urls = '', TYPESENSE_API_KEY: apiKey = '' } = process.env
if (urls === '') throw new Error('TYPESENSE_URL is not set, so there is no real server to test')

const alias = `mneme_test_${randomUUID().slice(0, 8)}`
let engine: TypesenseEngine
let databaseUrl: string

engineConformance('Typesense, a real server,', async () => {
  databaseUrl = await ownDatabaseUrl()
  const database = await openDatabase(databaseUrl)
  engine = await openOn(database, urls.split(','), apiKey, undefined, { alias })
  await settle(engine)
  return settled({ database, engine })
})

test('a rebuild on a real server leaves no drift', async () => {
  const quiet = { print: () => undefined, signal: new AbortController().signal }
  expect(await rebuild(engine.upkeep, quiet)).toBe(true)
  const database = await openDatabase(databaseUrl)
  const { drifts, orphans } = await verifyIndex({ database, server: engine.server, index: alias }, quiet.signal)
  expect([drifts, orphans, engine.proposals.fallbacks]).toEqual([[], [], 0])
})

afterAll(async () => {
  for (const { name } of await engine.server.collections()) {
    if (isCollectionOf(alias, name)) await engine.server.dropCollection(name)
  }
  for (const name of [alias, vectorsOf(alias)]) await engine.server.dropAlias(name)
})
