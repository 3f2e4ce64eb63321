import { describe, expect, test } from 'bun:test'
import { type Static, Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { compileValidator } from '../http/validation.ts'
import type { Caller } from './caller.ts'
import { defineSetting } from './settings.ts'
import { createSettingsCatalogue } from './settings-catalogue.ts'

const days = Type.Integer({ minimum: 1, maximum: 30, description: 'Days it dries.' })
const drying = defineSetting({ key: 'drying_days', schema: days, setBy: { permission: 'cup.delete' } })
const glossy = defineSetting({ key: 'glossy', schema: Type.Boolean({ description: 'Shines.' }), default: true })
const cups = defineSetting({ key: 'aims.cups', schema: Type.Integer(), groupDescription: 'What to aim at.' })
const bowls = defineSetting({ key: 'aims.bowls', schema: Type.Integer(), setBy: 'account' })
const catalogue = createSettingsCatalogue([drying, glossy, cups, bowls])

const DEFAULTS = { drying_days: null, glossy: true, aims: { cups: null, bowls: null } }

describe('a setting', () => {
  test('reads what is stored, typed, and its default where nothing is', () => {
    const shiny: Static<typeof glossy.schema> = glossy.of({ settings: {} })
    expect(shiny).toBe(true)
    expect(glossy.of({ settings: { glossy: false } })).toBe(false)
    expect(cups.of({ settings: { aims: { cups: 5 } } })).toBe(5)
    expect(drying.of({ settings: { drying_days: null } })).toBeNull()
  })

  test.each([[31], [1.5], ['3'], [{}], [[]], [true]])('counts %j as not set where that does not fit', stored => {
    expect(drying.of({ settings: { drying_days: stored } })).toBeNull()
  })
})

describe('the settings of all plugins', () => {
  test('show every one, whatever is stored', () => {
    expect(catalogue.complete({})).toEqual(DEFAULTS)
    expect(catalogue.complete({ aims: 'high', glossy: false })).toEqual({ ...DEFAULTS, glossy: false })
    const shown = compileValidator(catalogue.document)
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('aims', 'glossy', 'drying_days', 'x'), fc.jsonValue()), stored => {
        expect(shown.faults(catalogue.complete(stored))).toEqual([])
      }),
    )
  })

  test('merge key by key, also inside of another, and null goes back to the default', () => {
    const once = catalogue.merge({}, { aims: { cups: 100 }, drying_days: 4 })
    const twice = catalogue.merge(once, { aims: { bowls: 2 }, glossy: false })
    expect(twice).toEqual({ aims: { cups: 100, bowls: 2 }, drying_days: 4, glossy: false })
    const reset = catalogue.merge(twice, { aims: { cups: null }, glossy: null, drying_days: null })
    expect(reset).toEqual({ aims: { bowls: 2 } })
    expect(catalogue.complete(reset)).toEqual({ ...DEFAULTS, aims: { cups: null, bowls: 2 } })
    const whole = catalogue.merge({ ...twice, aims: { cups: 100, bowls: 2, plates: 1 } }, { aims: null })
    expect(whole).toEqual({ aims: { plates: 1 }, glossy: false, drying_days: 4 })
  })

  test('keep what is stored for a plugin that is not loaded', () => {
    const stored = { x_kiln: { heat: 900 }, aims: { plates: 1 } }
    expect(catalogue.merge(stored, { aims: { cups: 3 }, x_kiln: { heat: 1 } })).toEqual({
      x_kiln: { heat: 900 },
      aims: { plates: 1, cups: 3 },
    })
    expect(catalogue.complete(stored)).toEqual(DEFAULTS)
  })

  test('refuse what nobody knows or what does not fit, and name all of it', () => {
    const { faults } = compileValidator(catalogue.change)
    expect(faults({ drying_days: 31, glossy: 1, aims: { cups: 1, plates: 1 }, colour: 'red' })).toEqual([
      { path: 'colour', message: 'is not a known field' },
      { path: 'drying_days', message: 'must be a whole number from 1 to 30, or null' },
      { path: 'glossy', message: 'must be true or false, or null' },
      { path: 'aims.plates', message: 'is not a known field' },
    ])
    expect(faults({ aims: 3 })).toEqual([{ path: 'aims', message: 'must be an object' }])
    expect(faults({ aims: null })).toEqual([])
    expect(faults({ drying_days: null, glossy: null, aims: {} })).toEqual([])
  })

  test('say in the reference what they do, their default and who may set them', () => {
    const { properties } = catalogue.change
    expect(properties.drying_days?.description).toBe(
      'Days it dries. A key needs the permission `cup.delete` to set it.',
    )
    expect(properties.glossy?.description).toBe('Shines. Default: `true`.')
    expect(properties.aims?.description).toBe('What to aim at.')
  })
})

describe('who may set', () => {
  const caller = (kind: Caller['kind'], permissions: Caller['permissions']): Caller => ({
    kind,
    id: 'x',
    accountId: 'a',
    mode: 'live',
    permissions,
    workspaceId: 'w',
  })
  const refused = (who: Caller, change: object): boolean => {
    try {
      catalogue.authorize(who, { ...change })
      return false
    } catch (error) {
      expect(error).toMatchObject({ code: 'FORBIDDEN', status: 403 })
      return true
    }
  }
  const session = caller('session', 'all')
  const allMighty = caller('key', 'all')
  const plain = caller('key', new Set(['workspace.write']))
  const deleter = caller('key', new Set(['workspace.write', 'cup.delete']))

  test.each([
    ['a signed-in account sets everything', session, { drying_days: 1, aims: { bowls: 1 } }, false],
    ['a key sets what asks for nothing', plain, { glossy: false, aims: { cups: 1 } }, false],
    ['a key without the permission does not set what wants it', plain, { drying_days: 1 }, true],
    ['nor sets it back', plain, { drying_days: null }, true],
    ['a key with it does', deleter, { drying_days: 1 }, false],
    ["no key sets what is the account's, inside of another or not", allMighty, { aims: { cups: 1, bowls: 1 } }, true],
  ] as const)('%s', (_, who, change, expected) => {
    expect(refused(who, change)).toBe(expected)
  })
})
