import { expect, test } from 'bun:test'
import { nearest, orDidYouMean } from './suggest.ts'

const KEYS = ['routes', 'requires', 'provides', 'permissions', 'emits', 'setup', 'config', 'cron']

test.each([
  ['route', 'routes'],
  ['rotues', 'routes'],
  ['Routes', 'routes'],
  ['require', 'requires'],
  ['permission', 'permissions'],
  ['permisions', 'permissions'],
  ['setUp', 'setup'],
  ['emit', 'emits'],
])('%s is taken for %s', (given, meant) => {
  expect(nearest(given, KEYS)).toBe(meant)
})

test.each(['dashboards', 'x', '', 'stop'])('%p is taken for nothing', given => {
  expect(nearest(given, KEYS)).toBeUndefined()
})

test('a hint falls back to what else can be done', () => {
  expect(orDidYouMean('rotues', KEYS, 'remove it')).toBe('did you mean routes?')
  expect(orDidYouMean('dashboards', KEYS, 'remove it')).toBe('remove it')
})
