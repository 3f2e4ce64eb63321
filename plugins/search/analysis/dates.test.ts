import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const DATES = fileURLToPath(new URL('./dates.ts', import.meta.url))

// In these time zones it is already the next day, or still the previous one.
test.each([
  ['Pacific/Kiritimati', '2026-06-15T12:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-06-15T05:00:00.000Z'],
])('relative dates count in UTC on a server in %s', (zone, now) => {
  const program = `import { datesIn } from ${JSON.stringify(DATES)}
    console.log(JSON.stringify(datesIn('What happened yesterday?', new Date(${JSON.stringify(now)}))))`
  const { PATH = '' } = process.env
  const { stdout } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8', env: { PATH, TZ: zone } })
  expect(JSON.parse(stdout)).toEqual([{ start: '2026-06-14T00:00:00.000Z', end: '2026-06-15T00:00:00.000Z' }])
})
