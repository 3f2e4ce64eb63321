import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const DATES = fileURLToPath(new URL('./index.ts', import.meta.url))

function runIn(zone: string, expression: string): unknown {
  const program = `import { datesIn, instantOf } from ${JSON.stringify(DATES)}
    console.log(JSON.stringify(${expression}))`
  const { PATH = '' } = process.env
  const { stdout } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8', env: { PATH, TZ: zone } })
  return JSON.parse(stdout)
}

// In these time zones it is already the next day, or still the previous one.
test.each([
  ['Pacific/Kiritimati', '2026-06-15T12:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-06-15T05:00:00.000Z'],
])('relative dates count in UTC on a server in %s', (zone, now) => {
  expect(runIn(zone, `datesIn('What happened yesterday?', new Date('${now}'))`)).toEqual([
    { start: '2026-06-14T00:00:00.000Z', end: '2026-06-15T00:00:00.000Z' },
  ])
})

test.each([
  ['2024-03-15', '2024-03-15T00:00:00.000Z'],
  ['2024-03-15 10:00', '2024-03-15T10:00:00.000Z'],
  ['2024-03-15T10:00:30.5', '2024-03-15T10:00:30.500Z'],
  ['2024-03-15T10:00:00+0200', '2024-03-15T08:00:00.000Z'],
  ['2024-03-15 10:00:00 -05:00', '2024-03-15T15:00:00.000Z'],
  ['2024-03-15T10:00:00z', '2024-03-15T10:00:00.000Z'],
  ['2024-03-15 10:00:00+02', '2024-03-15T08:00:00.000Z'],
  ['2024-03-15 10:00:00 EST', '2024-03-15T15:00:00.000Z'],
  ['15 March 2024', '2024-03-15T00:00:00.000Z'],
])('the instant of %j does not depend on the time zone of the server', (value, instant) => {
  expect(runIn('Pacific/Kiritimati', `instantOf('${value}')`)).toBe(instant)
})
