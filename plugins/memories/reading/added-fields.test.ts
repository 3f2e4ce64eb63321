import { describe, expect, test } from 'bun:test'
import { extend, type Tenant, Type } from 'mneme/plugin'
import { createLog } from '../../../core/log.ts'
import { Switchboard } from '../../../core/ports.ts'
import { addedFields, type MemoryFieldSource, memoryFields } from '../contract.ts'
import { AddedFields } from './added-fields.ts'

const memories = [{ id: 'a' }, { id: 'b' }]

const tenantWith = (...features: string[]) =>
  ({ workspaceId: 'w', workspace: { features: new Set(features) } }) as unknown as Tenant

function world(sources: readonly (Partial<MemoryFieldSource> & { plugin?: string; feature?: string })[]) {
  const wiring = new Switchboard()
  for (const { plugin = 'stars', feature, ...parts } of sources) {
    const source: MemoryFieldSource = {
      name: 'count',
      schema: Type.Integer({ description: 'Stars.' }),
      load: async (_, ids) => new Map(ids.map((id, n) => [id, n])),
      ...parts,
    }
    wiring.extend(extend(memoryFields, source), { id: plugin, feature })
  }
  const warnings: unknown[] = []
  const log = Object.assign(createLog('silent'), { warn: (note: unknown) => void warnings.push(note) })
  const fields = new AddedFields({ wiring, log })
  return { fields, wiring, warnings, add: () => fields.add(tenantWith(), memories, 'list') }
}

describe('fields of other plugins', () => {
  test('appear under the plugin that adds them and load once for all memories', async () => {
    const calls: (readonly string[])[] = []
    const load: MemoryFieldSource['load'] = async (_, ids) => {
      calls.push(ids)
      return new Map([['a', 5]])
    }
    const { add } = world([
      { load },
      { name: 'tint', schema: Type.String(), load: async () => new Map([['b', 'red']]) },
      { plugin: 'moons' },
    ])
    expect(await add()).toEqual([
      { id: 'a', extensions: { stars: { count: 5 }, moons: { count: 0 } } },
      { id: 'b', extensions: { stars: { tint: 'red' }, moons: { count: 1 } } },
    ])
    expect(calls).toEqual([['a', 'b']])
  })

  test('are omitted where they have no value, and are not loaded without memories', async () => {
    const calls: unknown[] = []
    const load = async (_: Tenant, ids: readonly string[]) => {
      calls.push(ids)
      return new Map()
    }
    const { add, fields } = world([{ load }])
    expect(await add()).toEqual(memories)
    expect(await fields.add(tenantWith(), [], 'list')).toEqual([])
    expect(calls).toHaveLength(1)
  })

  test.each<[string, MemoryFieldSource['load']]>([
    ['rejects', async () => Promise.reject(new Error('away'))],
    [
      'throws',
      () => {
        throw new Error('away')
      },
    ],
    ['gives no map', async () => ({ a: 1 }) as never],
    ['never ends', () => new Promise(() => undefined)],
  ])(
    'of a source that %s are left out, told in the log with its plugin, and do not take others along',
    async (_, load) => {
      const { add, warnings } = world([{ load, timeLimitMs: 20 }, { plugin: 'moons' }])
      expect(await add()).toEqual([
        { id: 'a', extensions: { moons: { count: 0 } } },
        { id: 'b', extensions: { moons: { count: 1 } } },
      ])
      await add()
      // A source that keeps failing is logged once a minute.
      expect(warnings).toEqual([{ err: expect.any(Error), plugin: 'stars', field: 'count' }])
    },
  )

  test('of a source whose schema does not compile are left out, and do not take others along', async () => {
    const { add, warnings } = world([{ schema: { type: 'integer' } as never }, { plugin: 'moons' }])
    expect((await add())[0]).toEqual({ id: 'a', extensions: { moons: { count: 0 } } })
    expect(warnings).toEqual([{ err: expect.any(Error), plugin: 'stars', field: 'count' }])
  })

  test('of a source that hangs are skipped until one of its loads ends', async () => {
    const waiting: (() => void)[] = []
    const load = () => new Promise<Map<string, number>>(resolve => waiting.push(() => resolve(new Map([['a', 1]]))))
    const { add } = world([{ load, timeLimitMs: 1 }])
    for (let n = 0; n < 15; n++) await add()
    expect(waiting).toHaveLength(10)
    waiting[0]?.()
    await Promise.resolve()
    await add()
    expect(waiting).toHaveLength(11)
  })

  test('have their signal aborted at the time limit', async () => {
    let aborted: unknown
    const load: MemoryFieldSource['load'] = (_, __, signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          aborted = signal.reason
          reject(signal.reason)
        }),
      )
    await world([{ load, timeLimitMs: 5.25 }]).add()
    expect(String(aborted)).toContain('it took longer than 5 ms')
  })

  test("appear only with the plugin's feature in the plan, and in the places they name", async () => {
    const { fields } = world([{ feature: 'x_stars' }, { plugin: 'moons', places: ['full'] }])
    const shown = async (tenant: Tenant, place: 'list' | 'full') => {
      const [first] = await fields.add(tenant, memories, place)
      return Object.keys(first?.extensions ?? {})
    }
    expect(await shown(tenantWith(), 'list')).toEqual([])
    expect(await shown(tenantWith('x_stars'), 'list')).toEqual(['stars'])
    expect(await shown(tenantWith('x_stars'), 'full')).toEqual(['stars', 'moons'])
  })

  test('have a schema in the reference, and none without sources', () => {
    const { wiring } = world([{}, { name: 'tint' }, { plugin: 'moons', places: ['full'] }])
    const propertiesAt = (place: 'list' | 'full') => addedFields(wiring, place).extensions?.properties ?? {}
    expect(Object.keys(propertiesAt('list'))).toEqual(['stars'])
    const { stars, moons } = propertiesAt('full')
    expect(Object.keys(stars.properties)).toEqual(['count', 'tint'])
    expect(moons.description).toBe('What the plugin moons adds.')
    expect(addedFields(new Switchboard(), 'list')).toEqual({})
  })
})
