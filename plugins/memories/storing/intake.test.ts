import { describe, expect, test } from 'bun:test'
import { AppError, extend, type Tenant } from 'mneme/plugin'
import { createLog } from '../../../core/log.ts'
import { Switchboard } from '../../../core/ports.ts'
import { type IncomingMemory, type IntakeVerdict, type MemoryIntakeHook, memoryIntake } from '../contract.ts'
import { reviewIncoming } from './intake.ts'

const memory = (text: string): IncomingMemory => ({
  operation: 'create',
  id: undefined,
  text,
  categories: ['home'],
  metadata: null,
  priority: 'MEDIUM',
  userId: 'ada',
  agentId: null,
  sessionId: null,
  source: 'API',
})

const tenantWith = (...features: string[]) =>
  ({ workspaceId: 'w', workspace: { features: new Set(features) } }) as unknown as Tenant

const refusal = (status: number) => new AppError('TOO_RUDE', { status, message: 'That is rude.' })

type Hook = Partial<MemoryIntakeHook> & { plugin?: string; feature?: string }

/** Runs hooks over texts. @returns the resulting text of each, or the code it was refused with */
async function taken(texts: readonly string[], hooks: readonly Hook[], tenant = tenantWith()) {
  const wiring = new Switchboard()
  for (const { plugin = 'polite', feature, ...parts } of hooks) {
    wiring.extend(extend(memoryIntake, { id: 'hook', review: () => [], ...parts }), { id: plugin, feature })
  }
  const errors: { plugin: string }[] = []
  const log = Object.assign(createLog('silent'), { error: (note: { plugin: string }) => void errors.push(note) })
  const intakes = await reviewIncoming({ wiring, log }, tenant, texts.map(memory))
  return {
    outcomes: intakes.map(intake => ('memory' in intake ? intake.memory.text : intake.refused.code)),
    intakes,
    errors,
  }
}

/** Builds a hook that judges each text by itself. */
const each = (judge: (text: string) => IntakeVerdict): Hook => ({
  review: (_, memories) => memories.map(({ text }) => judge(text)),
})

describe('hooks before a memory is stored', () => {
  test('change it one after another, in the order of their plugins', async () => {
    const { outcomes } = await taken(
      ['a', 'b'],
      [each(text => ({ change: { text: `${text}1` } })), each(text => ({ change: { text: `${text}2` } }))],
    )
    expect(outcomes).toEqual(['a12', 'b12'])
  })

  test('change text, categories and metadata, and keep omitted fields', async () => {
    const { intakes } = await taken(
      ['tea'],
      [each(() => ({ change: { categories: [' drinks ', 'drinks'], metadata: { seen: true } } }))],
    )
    expect(intakes).toEqual([{ memory: { ...memory('tea'), categories: ['drinks'], metadata: { seen: true } } }])
  })

  test('refuse some of a batch, which later hooks do not see', async () => {
    const seen: string[] = []
    const { outcomes } = await taken(
      ['a', 'rude', 'b'],
      [
        each(text => (text === 'rude' ? { refuse: refusal(422) } : undefined)),
        each(text => {
          seen.push(text)
          return undefined
        }),
      ],
    )
    expect(outcomes).toEqual(['a', 'TOO_RUDE', 'b'])
    expect(seen).toEqual(['a', 'b'])
  })

  test('of a plugin whose feature the plan lacks are skipped', async () => {
    const shouting = { ...each(text => ({ change: { text: text.toUpperCase() } })), feature: 'x_polite' }
    expect((await taken(['a'], [shouting])).outcomes).toEqual(['a'])
    expect((await taken(['a'], [shouting], tenantWith('x_polite'))).outcomes).toEqual(['A'])
  })

  test.each<[string, Hook]>([
    ['rejects', { review: async () => Promise.reject(new Error('away')) }],
    ['never ends', { review: () => new Promise(() => undefined), timeLimitMs: 20 }],
    ['gives too few verdicts', { review: () => [] }],
    ['refuses with another status', each(() => ({ refuse: refusal(403) }))],
    ['refuses with what is no error', each(() => ({ refuse: new Error('no') as AppError }))],
    ['makes the text blank', each(() => ({ change: { text: '  ' } }))],
    ['makes the text too long', each(() => ({ change: { text: 'x'.repeat(50_001) } }))],
    ['makes metadata that cannot be stored', each(() => ({ change: { metadata: { n: Number.NaN } } }))],
    ['makes too many categories', each(() => ({ change: { categories: Array.from({ length: 21 }, String) } }))],
  ])('that %s store nothing, and the error names their plugin', async (_, hook) => {
    const { intakes, errors } = await taken(['a'], [hook])
    const [intake] = intakes
    expect(intake).toMatchObject({ refused: { code: 'SERVICE_UNAVAILABLE', status: 503, retryAfterSeconds: 2 } })
    expect(intake && 'refused' in intake ? intake.refused.message : '').toContain('polite')
    expect(errors).toMatchObject([{ plugin: 'polite' }])
  })

  test('that fail at one memory are called for each of the others', async () => {
    const { outcomes } = await taken(
      ['a', 'poison', 'b'],
      [
        each(text => {
          if (text === 'poison') throw new Error('choked')
          return { change: { text: text.toUpperCase() } }
        }),
      ],
    )
    expect(outcomes).toEqual(['A', 'SERVICE_UNAVAILABLE', 'B'])
  })

  test('that time out on a batch are not called for each memory', async () => {
    let calls = 0
    const review = () => {
      calls++
      return new Promise<never>(() => undefined)
    }
    const { outcomes } = await taken(['a', 'b', 'c'], [{ review, timeLimitMs: 20 }])
    expect(outcomes).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
    expect(calls).toBe(1)
  })
})
