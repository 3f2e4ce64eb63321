import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/database.ts'
import { gate } from '../support/gate.ts'
import { until } from '../support/wait.ts'
import { failedTests, failureOutput } from './output.ts'
import { type BatchResult, type BatchRun, runBatch } from './run-batch.ts'

const SUPPORT = fileURLToPath(new URL('../support/', import.meta.url))

let root: string
beforeAll(async () => {
  root = await temporaryFolder()
})

async function run(body: string, options: Partial<BatchRun> = {}): Promise<BatchResult> {
  const folder = await temporaryFolder()
  await writeFile(join(root, 'one.test.ts'), `import { expect, test } from 'bun:test'\n${body}`)
  const { signal } = new AbortController()
  return runBatch(
    { name: 'one.test.ts', paths: ['one.test.ts'], closesEach: false },
    { root, folder, flags: [], environment: {}, secondsMax: 100, signal, ...options },
  )
}

const NEVER_ENDS = `test('waits', () => new Promise(() => { console.log('waiting as ' + process.pid); setInterval(() => {}, 1000) }))`

describe('a test file', () => {
  test('is counted by its tests, and measured', async () => {
    const result = await run(`test('one', () => {}); test('two', () => {}); test.todo('three')`)
    expect(result).toMatchObject({ name: 'one.test.ts', passed: 2, failed: 0, skipped: 1, fault: undefined })
    expect(result.memoryMbMax).toBeGreaterThan(10)
    expect(result.ownSeconds).toBeLessThanOrEqual(result.seconds + result.processorSeconds)
  })

  test('tells what failed and why, without what passed', async () => {
    const result = await run(`test('good', () => {}); test('bad one', () => expect(1).toBe(2))`)
    expect(result).toMatchObject({ passed: 1, failed: 1, fault: undefined })
    expect(failedTests(result.output)).toEqual([{ path: 'one.test.ts', name: 'bad one' }])
    expect(failureOutput(result.output)).toContain('Expected: 2')
    expect(failureOutput(result.output)).not.toContain('good')
  })

  test('fails when it cannot be loaded, or throws between its tests', async () => {
    expect(await run(`test('never', () => {})\nimport './missing.ts'`)).toMatchObject({ passed: 0, failed: 1 })
    expect((await run(`test('fine', () => {})\nthrow new Error('at its end')`)).failed).toBe(1)
  })

  test('fails when its process dies, with the tests before it counted', async () => {
    const result = await run(`test('one', () => {}); test('two', () => process.kill(process.pid, 'SIGKILL'))`)
    expect(result).toMatchObject({ passed: 1, failed: 0, fault: 'ended with SIGKILL before its tests were done' })
  })

  test('fails when it ends the process as if all were well', async () => {
    const result = await run(`test('one', () => {}); test('two', () => process.exit(0)); test('three', () => {})`)
    expect(result).toMatchObject({ passed: 1, failed: 0, fault: 'ended with 0 before its tests were done' })
  })

  test('is ended when it does not end by itself', async () => {
    const result = await run(NEVER_ENDS, { secondsMax: 1 })
    expect(result).toMatchObject({ passed: 0, fault: 'did not end within 1 s' })
    expect(result.output).toContain('waiting as')
  })

  test('is ended, with the processes that it started, when the run is stopped', async () => {
    const stopping = new AbortController()
    const seen = gate()
    let said = ''
    const onOutput = (text: string) => {
      said += text
      if (said.includes('started')) seen.open()
    }
    const body = `
      import { spawn } from 'node:child_process'
      test('waits', () => new Promise(() => console.log('started ' + spawn('sleep', ['600'], { detached: true }).pid)))`
    const running = run(body, { signal: stopping.signal, onOutput })
    await seen.opened
    stopping.abort()
    expect((await running).fault).toBe('was ended with the run')
    const pid = Number(/started (\d+)/.exec(said)?.[1])
    await until('the started process is gone', async () => !isAlive(pid))
  })
})

test.each([
  [true, 'opened 1, closed 1, opened 2, closed 2'],
  [false, 'opened 1, closed 1'],
])('what files of one process open is closed at the end of each (%p), or of all', async (closesEach, happened) => {
  const paths = ['a.test.ts', 'b.test.ts']
  const text = `
    import { test } from 'bun:test'
    import { oncePerRun, onEnd } from '${SUPPORT}closing.ts'
    import { log } from './log.ts'
    test('opens', () => oncePerRun('thing', async () => {
      log.opened++
      console.log('opened', log.opened)
      onEnd(async () => console.log('closed', log.opened))
    }))`
  for (const path of paths) await writeFile(join(root, path), text)
  await writeFile(join(root, 'log.ts'), 'export const log = { opened: 0 }')
  const { output, passed } = await runBatch(
    { name: 'two', paths, closesEach },
    {
      root,
      folder: await temporaryFolder(),
      flags: ['--preload', join(SUPPORT, 'preload.ts')],
      environment: {},
      secondsMax: 100,
      signal: new AbortController().signal,
    },
  )
  expect(passed).toBe(2)
  expect((output.match(/^(opened|closed) \d$/gm) ?? []).join(', ')).toBe(happened)
})

test('a test that fails in the first of two files is named once, with its file', async () => {
  const bodies = {
    'a.test.ts': `test('bad', () => expect(1).toBe(2))\n${'test.todo("later")\n'.repeat(20)}`,
    'b.test.ts': `test('good', () => {})`,
  }
  for (const [path, body] of Object.entries(bodies)) {
    await writeFile(join(root, path), `import { expect, test } from 'bun:test'\n${body}`)
  }
  const { output } = await runBatch(
    { name: 'two', paths: Object.keys(bodies), closesEach: false },
    {
      root,
      folder: await temporaryFolder(),
      flags: [],
      environment: {},
      secondsMax: 100,
      signal: new AbortController().signal,
    },
  )
  expect(failedTests(output)).toEqual([{ path: 'a.test.ts', name: 'bad' }])
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
