import { extend, type TSchema, type Tx } from 'mneme/plugin'
import { memoryFields, memoryFilters, memoryIntake, memoryWriteHooks } from 'mneme/plugin/memories'
import { Gauge } from 'prom-client'
import { plugin, Type, task } from './parts.ts'
import { forEver } from './requests.ts'

/**
 * Hostile parts only touch memories whose text begins with this, so that all others show whether the service goes on.
 */
const MARK = 'rogue '

const verdicts = (verdict: unknown) =>
  extend(memoryIntake, {
    id: 'judge',
    review: async (_, memories) =>
      (memories.some(({ text }) => text.startsWith(`${MARK}${verdict}`))
        ? verdict
        : memories.map(() => undefined)) as never,
  })

const field = (name: string, load: () => unknown, schema: TSchema = Type.Any()) =>
  extend(memoryFields, {
    name,
    schema,
    timeLimitMs: 50,
    load: async (_, ids) => {
      const value = load()
      return value instanceof Promise ? value : (new Map(ids.map(id => [id, value])) as never)
    },
  })

const filter = (name: string, passing: () => unknown) =>
  extend(memoryFilters, {
    id: name,
    parameters: Type.Object({ [name]: Type.Optional(Type.String({ description: 'Filter.' })) }),
    passing: async () => passing() as never,
  })

const circle: { self?: unknown } = {}
circle.self = circle

/**
 * These hooks, fields and filters return nonsense. `judged` and `unjudged` stand for what a hook returns in place of
 * verdicts.
 */
export const meddlerPlugin = plugin('meddler', {
  requires: ['memories'],
  setup: () => ({
    scope: null,
    extensions: [
      verdicts('nonsense'),
      extend(memoryWriteHooks, {
        id: 'hook',
        async created(_: Tx, memories: readonly { text: string }[]) {
          if (memories.some(({ text }) => text.startsWith(`${MARK}write`))) throw new Error('the pen is dry')
        },
        updated: async () => undefined,
        removed: async () => undefined,
      }),
      field('big', () => 1n),
      field('circle', () => circle),
      field('huge', () => 'x'.repeat(10_000_000)),
      field('wrong', () => 'three', Type.Integer()),
      field('late', forEver),
      field('broken', () => {
        throw new Error('the shelf is empty')
      }),
      field('well', () => 7, Type.Integer()),
      filter('odd', () => 7),
      filter('none', () => ({})),
      filter('many', () => ({ ids: 'all of them' })),
      filter('mixed', () => ({ ids: [7] })),
      filter('raging', () => {
        throw new Error('the sieve has a hole')
      }),
    ],
  }),
})

/** These parts run by themselves, and go wrong. */
export const restlessPlugin = plugin('restless', {
  setup: ({ metrics }: { metrics: never }) => {
    const gauge = (name: string, collect: () => void | Promise<void>) =>
      new Gauge({ name: `restless_${name}`, help: 'A number.', registers: [metrics], collect })
    gauge('throws', () => {
      throw new Error('the scale is broken')
    })
    gauge('hangs', forEver)
    return {
      scope: null,
      chores: [
        { name: 'throw', everyMs: 10, run: () => Promise.reject(new Error('the broom is lost')) },
        { name: 'hang', everyMs: 10, run: forEver },
      ],
      healthChecks: [
        { name: 'restless:hangs', check: forEver },
        {
          name: 'restless:throws',
          check() {
            throw new Error('the pulse is gone')
          },
        },
        {
          name: 'restless:odd',
          check: async () => undefined,
          state: () => 'splendid',
          details: () => ({ text: 'x'.repeat(10_000), circle, big: 1n, count: Number.NaN, work: () => 1, left: 3 }),
        },
        {
          name: 'restless:silent',
          check: async () => undefined,
          details() {
            throw new Error('the words are gone')
          },
        },
      ],
      stop: forEver,
    }
  },
})

/** Its stop throws at once. */
export const brittlePlugin = plugin('brittle', {
  setup: () => ({
    scope: null,
    stop() {
      throw new Error('the brake is off')
    },
  }),
})

/** This plugin behaves, notes what it did, and freezes what it adds. */
export function modestPlugin(done: string[]) {
  return plugin('modest', {
    requires: ['memories'],
    tasks: [task('modest:work', { run: async () => void done.push('worked') })],
    subscriptions: [{ event: 'memory.created', name: 'hear', handle: async () => void done.push('heard') }],
    setup: () => ({
      scope: null,
      extensions: [
        extend(
          memoryWriteHooks,
          Object.freeze({
            id: 'frozen',
            created: async () => void done.push('created'),
            updated: async () => undefined,
            removed: async () => undefined,
          }),
        ),
      ],
      stop: async () => void done.push('stopped'),
    }),
  })
}
