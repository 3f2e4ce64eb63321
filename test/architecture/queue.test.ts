import { expect, test } from 'bun:test'
import { filesWith, isTest, read } from './source.ts'

/** These are no longer what runs: a later migration replaced what they made. */
const FORMER = ['sql/0003_create_jobs.sql', 'sql/0012_add_jobs_by_delay.sql']

const product = filesWith('.ts', '.sql').filter(path => !isTest(path) && !FORMER.includes(path))
const matching = (paths: readonly string[], pattern: RegExp) => paths.filter(path => pattern.test(read(path)))

test('graphile-worker is used by its public face alone: no private table is named, no member of its objects replaced', () => {
  expect(matching(product, /_private_/)).toEqual([])
  const jobs = product.filter(path => path.startsWith('core/jobs/'))
  expect(jobs.length).toBeGreaterThan(0)
  expect(matching(jobs, /Reflect\.(set|defineProperty)|Object\.(assign|defineProperty)/)).toEqual([])
})
