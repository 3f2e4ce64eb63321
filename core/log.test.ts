import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

/** Runs statements in a process of their own, since the log writes to the real standard error. */
function logged(statements: string, isOutage = 'undefined'): Record<string, unknown>[] {
  return rawLines(statements, isOutage).map(line => JSON.parse(line))
}

function rawLines(statements: string, isOutage = 'undefined'): string[] {
  const script = `import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).pathname)}
    const log = createLog('info', ${isOutage}); ${statements}`
  const { stderr, stdout, status } = spawnSync(process.execPath, ['--eval', script], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, ''])
  return stderr.trim().split('\n')
}

test('lines are JSON on standard error, with the time in ISO 8601', () => {
  const [line] = logged(`log.info({ route: '/v1/memories', status: 200 }, 'done'); log.debug('unseen')`)
  expect(line).toMatchObject({ level: 30, route: '/v1/memories', status: 200, msg: 'done' })
  expect(line?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('secrets and texts of users are not logged, at the top or one level down', () => {
  const names = ['password', 'key', 'secret', 'token', 'authorization', 'cookie', 'memory', 'text', 'query', 'content']
  const fields = Object.fromEntries(names.map(name => [name, 'S3CRET']))
  const [line] = logged(`log.info(${JSON.stringify({ ...fields, deep: fields })})`)
  expect(JSON.stringify(line)).not.toContain('S3CRET')
})

test('an error is logged with its code, stack and causes, without what a driver hangs onto it', () => {
  const [line] = logged(`
    const cause = Object.assign(new Error('insert failed'), { code: '23505', parameters: ['S3CRET'], detail: 'S3CRET' })
    log.error({ err: new TypeError('broken', { cause }) })`)
  expect(line?.err).toMatchObject({
    type: 'TypeError',
    message: 'broken',
    cause: { message: 'insert failed', code: '23505' },
  })
  expect(JSON.stringify(line)).toContain('at ')
  expect(JSON.stringify(line)).not.toContain('S3CRET')
})

test('an error that quotes megabytes is logged in part, with where it comes from', () => {
  const [line] = logged(`
    const quoted = 'x'.repeat(1_000_000)
    let err = new Error('refused: ' + quoted)
    for (let n = 0; n < 20; n++) err = new Error('failed for ' + quoted, { cause: err })
    log.error({ err })
    log.error({ err: quoted })`)
  expect(line?.err).toMatchObject({ message: expect.stringMatching(/^failed for x+…$/) })
  expect(JSON.stringify(line)).toContain('at ')
  expect(JSON.stringify(line).length).toBeLessThan(200_000)
})

test('a line has no field twice that its logger has too, and its own value', () => {
  const text = JSON.stringify(
    rawLines(`
      const child = log.child({ plugin: 'memories', task: 'memories:process' })
      child.warn({ plugin: 'weather', err: new Error('no sun') }, 'a hook failed')
      child.warn({ n: 1 }, 'fine')
      child.info('%s', 'text alone')`),
  )
  expect(text.match(/plugin/g)).toHaveLength(3)
  expect(text).toContain('weather')
})

test('of the warnings about an outage one is written in a while, which counts the others; all else is written', () => {
  const lines = logged(
    `
    const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    for (let n = 0; n < 5; n++) log.child({ plugin: 'search' }).warn({ err: away, n }, 'the chore failed')
    log.error({ err: away }, 'job failed for good')
    log.warn({ err: new Error('broken') }, 'the chore failed')
    const { now } = performance
    performance.now = () => now.call(performance) + 10_000
    log.warn({ err: away }, 'the check failed')`,
    `error => error?.code === 'ECONNREFUSED'`,
  )
  expect(lines.map(({ msg, n, left_out }) => [msg, n, left_out])).toEqual([
    ['the chore failed', 0, undefined],
    ['job failed for good', undefined, undefined],
    ['the chore failed', undefined, undefined],
    ['the check failed', undefined, 4],
  ])
})

test('what was logged right before the process dies is not lost', () => {
  const lines = logged('for (let n = 0; n < 500; n++) log.info({ n }); process.reallyExit(0)')
  expect(lines).toHaveLength(500)
})

test('a log that cannot be written, as on a full disk, fails nobody who logs', () => {
  const unwritable = openSync(new URL(import.meta.url).pathname, 'r')
  const script = `import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).pathname)}
    const log = createLog('info')
    for (let n = 0; n < 3; n++) log.warn('nobody reads this')
    process.stdout.write('alive')`
  const { stdout, status } = spawnSync(process.execPath, ['--eval', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', unwritable],
  })
  closeSync(unwritable)
  expect([status, stdout]).toEqual([0, 'alive'])
})

test('lines in a terminal are short ones for people, which keep the same silence', () => {
  const STATEMENTS = `import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).pathname)}
    createLog('info').warn({ task: 'graph:read', key: 'mn_live_secret' }, 'it waits')`
  const env = { ...process.env, RUNTIME: process.execPath, STATEMENTS, NO_COLOR: '1' }
  // `script` gives the terminal.
  const words = ['-qefc', 'exec "$RUNTIME" --eval "$STATEMENTS"', '/dev/null']
  const { stdout } = spawnSync('script', words, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })
  expect(stdout.trim()).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: it waits \{"task":"graph:read","key":"\[redacted\]"\}$/)
})
