import { describe, expect, test } from 'bun:test'
import { readOptions } from './options.ts'
import { closingLine, excesses, failures, slowestFiles, totals } from './report.ts'
import type { BatchResult } from './run-batch.ts'

function result(name: string, given: Partial<BatchResult> = {}): BatchResult {
  const measured = { seconds: 1, ownSeconds: 1, processorSeconds: 1, memoryMbMax: 100 }
  return { name, paths: [name], passed: 1, failed: 0, skipped: 0, ...measured, fault: undefined, output: '', ...given }
}

describe('a run', () => {
  test('fails over a process that takes too much memory', () => {
    const other = { name: 'the databases', processorSeconds: 500, memoryMbMax: 2002 }
    expect(excesses([result('a', { memoryMbMax: 2001 }), result('b')], [other])).toEqual([
      expect.stringMatching(/^a took 2001 MB/),
      expect.stringMatching(/^the databases took 2002 MB/),
    ])
  })

  test('counts a file that died, and what else is wrong, as failures', () => {
    const results = [result('a', { passed: 3, failed: 2 }), result('b', { fault: 'ended with SIGKILL' })]
    expect(totals(results, 1)).toEqual({ passed: 4, failed: 4 })
    const other = { name: 'the databases', processorSeconds: 3, memoryMbMax: 150 }
    expect(closingLine({ passed: 4, failed: 4 }, results, [other], 9.6)).toBe(
      '4 passed, 4 failed in 2 files; 10 s, 5 s of processor time; at most 150 MB a process',
    )
  })

  test('names what failed after all that it said', () => {
    const output = 'one.test.ts:\n(pass) good\nerror: expected\n(fail) group > bad [1.20ms]\n\n 1 fail\n'
    const lines = failures([
      result('a', { failed: 1, output }),
      result('b'),
      result('c', { fault: 'ended with 9' }),
      result('d', { failed: 1 }),
    ])
    expect(lines.slice(-4)).toEqual([
      'Failed:',
      '  one.test.ts: group > bad',
      '  c: ended with 9',
      '  d: failed outside of its tests',
    ])
    expect(lines.join('\n')).toContain('error: expected')
    expect(failures([result('b')])).toEqual([])
  })

  test('shows the slowest twenty files', () => {
    const lines = slowestFiles(Array.from({ length: 30 }, (_, n) => result(`file-${n}`, { seconds: n })))
    expect(lines).toHaveLength(21)
    expect(lines[1]).toEndWith('file-29')
  })
})

describe('the words after the command', () => {
  test('are parts of paths, and options of bun test with their values', () => {
    const options = readOptions(['core/http', '-t', 'is refused', '--bail', './test/e2e'], { TEST_WORKERS: '3' })
    expect(options).toMatchObject({ filters: ['core/http', './test/e2e'], bail: true, workers: 3 })
    expect(options.flags).toEqual(['-t', 'is refused', '--bail', '--pass-with-no-tests'])
  })

  test('may be none', () => {
    const options = readOptions([], {})
    expect(options).toMatchObject({ filters: [], flags: [], bail: false })
    expect(options.workers).toBeGreaterThan(0)
  })
})
