import { expect, test } from 'bun:test'
import { failure } from '../../test/support/control-plane.ts'
import { createLog } from '../log.ts'
import { noLanguageModel, type OpenLanguageModel } from '../models/language/language-model.ts'
import { fewASecond } from './readiness.ts'
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

test('work that a flood asks for runs ten times a second, and its last result is less than a second old', async () => {
  const clock = { now: 0, runs: 0 }
  const ask = fewASecond(
    async () => ++clock.runs,
    () => clock.now,
  )
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  const results: number[] = []
  for (let n = 0; n < 100; n++) results.push(await ask())
  expect([results.at(0), results.at(-1), clock.runs]).toEqual([2, 10, 10])
  clock.now = 1000
  expect(await ask()).toBe(11)
})

test('work that fails is tried again by whoever asks next', async () => {
  let runs = 0
  const ask = fewASecond(async () => {
    if (++runs <= 20) throw new Error('away')
    return runs
  })
  for (let n = 0; n < 20; n++) expect(await failure(ask())).toMatchObject({ message: 'away' })
  expect(await ask()).toBe(21)
})
