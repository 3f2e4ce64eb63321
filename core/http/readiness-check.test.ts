import { expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import type { OpenLanguageModel } from '../models/language/language-model.ts'
import { noLanguageModel } from '../models/language/no-language-model.ts'
import { languageCheck, ReadinessCheck } from './readiness-check.ts'

test('a check that fails takes the server out of rotation where its part is essential, and else degrades', async () => {
  const stateWith = async (parts: { essential?: boolean }) => {
    const check = { name: 'vendor', check: () => Promise.reject(new Error('the vendor is away')), ...parts }
    const find = await new ReadinessCheck({ owner: 'weather', check }, createLog('silent')).run()
    return find().state
  }
  expect([await stateWith({}), await stateWith({ essential: false })]).toEqual(['degraded', 'degraded'])
  expect(await stateWith({ essential: true })).toBe('failed')
})

test('a language model that is away degrades, with its fault, and without one there is no check', async () => {
  let outage: ReturnType<OpenLanguageModel['outage']>
  const language = { ...noLanguageModel, modelId: 'http/m', outage: () => outage }
  const [check] = languageCheck({ language }).map(
    one => new ReadinessCheck({ owner: 'core', check: one }, createLog('silent')),
  )
  expect((await check?.run())?.()).toMatchObject({ state: 'ok', details: undefined })
  outage = { message: 'cannot be reached (ECONNREFUSED)', at: new Date(0) }
  const details = { fault: outage.message, failed_at: '1970-01-01T00:00:00.000Z' }
  expect((await check?.run())?.()).toMatchObject({ state: 'degraded', details })
  expect(languageCheck({ language: noLanguageModel })).toEqual([])
})

test('the state is of the moment of the details, also where something happens while other checks run', async () => {
  let problem: string | undefined
  const check = {
    name: 'vendor',
    check: async () => undefined,
    state: () => (problem ? ('degraded' as const) : ('ok' as const)),
    details: () => (problem ? { problem } : undefined),
  }
  const find = await new ReadinessCheck({ owner: 'weather', check }, createLog('silent')).run()
  problem = 'the vendor is away'
  expect(find()).toEqual({ name: 'vendor', state: 'degraded', details: { problem } })
})
