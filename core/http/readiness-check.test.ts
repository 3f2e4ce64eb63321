import { expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import type { OpenLanguageModel } from '../models/language/language-model.ts'
import { noLanguageModel } from '../models/language/no-language-model.ts'
import { languageCheck, ReadinessCheck } from './readiness-check.ts'

test('a check that fails takes the server out of rotation where its part is essential, and else degrades', async () => {
  const stateOf = (parts: { essential?: boolean }) => {
    const check = { name: 'vendor', check: () => Promise.reject(new Error('the vendor is away')), ...parts }
    return new ReadinessCheck({ owner: 'weather', check }, createLog('silent')).state()
  }
  expect([await stateOf({}), await stateOf({ essential: false })]).toEqual(['degraded', 'degraded'])
  expect(await stateOf({ essential: true })).toBe('failed')
})

test('a language model that is away degrades, with its fault, and without one there is no check', async () => {
  let outage: ReturnType<OpenLanguageModel['outage']>
  const language = { ...noLanguageModel, modelId: 'http/m', outage: () => outage }
  const [check] = languageCheck({ language }).map(
    one => new ReadinessCheck({ owner: 'core', check: one }, createLog('silent')),
  )
  expect([await check?.state(), check?.details()]).toEqual(['ok', undefined])
  outage = { message: 'cannot be reached (ECONNREFUSED)', at: new Date(0) }
  const details = { fault: outage.message, failed_at: '1970-01-01T00:00:00.000Z' }
  expect([await check?.state(), check?.details()]).toEqual(['degraded', details])
  expect(languageCheck({ language: noLanguageModel })).toEqual([])
})
