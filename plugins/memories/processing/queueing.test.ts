import { describe, expect, test } from 'bun:test'
import { processingJobs } from './queueing.ts'

const memory = (n: number, text = 'short', source: 'API' | 'IMPORT' = 'API') => ({
  workspaceId: 'w',
  id: `memory ${n}`,
  revision: 1,
  text,
  source,
})
const memories = (count: number, text?: string, source?: 'API' | 'IMPORT') =>
  Array.from({ length: count }, (_, n) => memory(n, text, source))

/** Lists by job the memories it is about. */
function idsOf(jobs: ReturnType<typeof processingJobs>): string[][] {
  return jobs.map(({ payload }) =>
    'memories' in payload
      ? (payload.memories as { memory_id: string }[]).map(({ memory_id }) => memory_id)
      : [String(payload.memory_id)],
  )
}

describe('the jobs of memories that are stored together', () => {
  test('are one for each pass, of which a workspace has four at once, the first before those of bulk', () => {
    const jobs = processingJobs(memories(70))
    expect(idsOf(jobs).map(ids => ids.length)).toEqual([32, 32, 6])
    expect(idsOf(jobs).flat()).toEqual(memories(70).map(({ id }) => id))
    expect(jobs.map(({ priority }) => priority)).toEqual([0, 1, 1])
    expect(jobs.map(({ limit }) => limit)).toEqual(
      Array.from({ length: 3 }, () => ({ key: 'memories:process:w', max: 4 })),
    )
    expect(processingJobs(memories(2, 'short', 'IMPORT')).map(({ priority }) => priority)).toEqual([1])
    expect(processingJobs(memories(2), 32).map(({ priority }) => priority)).toEqual([1])
  })

  test('hold 16,000 characters at most', () => {
    expect(idsOf(processingJobs(memories(20, 'x'.repeat(2000)))).map(ids => ids.length)).toEqual([8, 8, 4])
    // As for a pass, a short text counts as 500.
    const mixed = [...memories(16), ...memories(16, 'x'.repeat(700))]
    expect(idsOf(processingJobs(mixed)).map(ids => ids.length)).toEqual([27, 5])
  })

  test('are jobs of their own for long texts and for one that is left, keyed by their memories', () => {
    const jobs = processingJobs([memory(0), memory(1, 'long'.repeat(1000)), memory(2), memory(3, 'long'.repeat(1000))])
    expect(idsOf(jobs)).toEqual([['memory 1'], ['memory 3'], ['memory 0', 'memory 2']])
    expect(jobs.map(({ key }) => key)).toEqual(['memories:process:memory 1', 'memories:process:memory 3', undefined])
    // However many of one workspace wait, those of others find places.
    expect(jobs.slice(0, 2).map(({ limit }) => limit)).toEqual(
      Array.from({ length: 2 }, () => ({ key: 'memories:process:w', max: 8 })),
    )
    expect(processingJobs([memory(7)])).toEqual([
      {
        task: 'memories:process',
        key: 'memories:process:memory 7',
        payload: { workspace_id: 'w', memory_id: 'memory 7', revision: 1, characters: 5 },
        priority: 0,
      },
    ])
    expect(processingJobs([])).toEqual([])
  })
})
