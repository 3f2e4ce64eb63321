import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { temporaryFolder } from '../support/database.ts'
import { run } from '../support/process.ts'
import { until } from '../support/wait.ts'

async function runTests(words: readonly string[]) {
  const folder = await temporaryFolder()
  // Embedded, so that all that it makes lies in that folder.
  return { folder, child: run('test/run.ts', { TMPDIR: folder, TEST_WORKERS: '2' }, 'bun', words) }
}

describe('the command that runs the tests', () => {
  test('runs the files that are named, ends with one line and 0, and leaves nothing', async () => {
    const { child, folder } = await runTests(['core/http/cors', 'core/log.test.ts'])
    expect(await child.ended).toBe(0)
    const lines = child.stdout().trim().split('\n')
    expect(lines[0]).toBe('2 files, 2 at a time, on the embedded database')
    expect(lines.slice(1, 3).toSorted()).toEqual([
      expect.stringMatching(/^ok .* core\/http\/cors\.test\.ts: \d+ passed {2}[12] of 2$/),
      expect.stringMatching(/^ok .* core\/log\.test\.ts: \d+ passed {2}[12] of 2$/),
    ])
    expect(lines.at(-1)).toMatch(
      /^[1-9]\d* passed, 0 failed in 2 files; \d+ s, \d+ s of processor time; at most \d+ MB/,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('fails when nothing has the name that is asked for', async () => {
    const { child } = await runTests(['core/http/cors', '-t', 'no test is called so'])
    expect(await child.ended).toBe(1)
    expect(child.stdout()).toContain('Failed: no test was run')
  })

  test('names a file that it leaves out for want of a service, and fails when no other is asked for', async () => {
    const { child } = await runTests(['engine/typesense/real-server'])
    expect(await child.ended).toBe(1)
    expect(child.stdout()).toMatch(/^left out: \S+real-server\.test\.ts needs TYPESENSE_URL$/m)
    expect(child.stderr()).toContain('nothing is left to run')
  })

  test('ends the files under way, says what was left, and leaves nothing when it is stopped', async () => {
    const { child, folder } = await runTests(['core/', 'plugins/'])
    await until('files are under way', async () => child.stdout().includes('files'))
    expect(await child.stop()).toBe(130)
    expect(child.stdout()).toMatch(/Failed: \d+ files were not run/)
    expect(child.stdout()).toMatch(/\n\d+ passed, [1-9]\d* failed in \d+ files;/)
    expect(readdirSync(folder)).toEqual([])
  })
})
