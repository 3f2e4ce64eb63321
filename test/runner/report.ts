import { failedTests, failureOutput } from './output.ts'
import type { BatchResult } from './run-batch.ts'
import type { ProcessUsage } from './usage.ts'

const MEMORY_MB_MAX = 2000

const SLOWEST_SHOWN = 20

/** One line for a process that has ended. */
export function progressLine(result: BatchResult): string {
  const bad = result.failed > 0 || result.fault !== undefined
  const counts = `${result.passed} passed${result.failed > 0 ? `, ${result.failed} failed` : ''}`
  const fault = result.fault ? ` (${result.fault})` : ''
  return `${bad ? 'FAIL' : 'ok  '} ${measures(result)}  ${result.name}: ${counts}${fault}`
}

function measures({ seconds, processorSeconds, memoryMbMax }: BatchResult): string {
  return `${seconds.toFixed(1).padStart(6)} s ${processorSeconds.toFixed(1).padStart(6)} s cpu ${memoryMbMax.toFixed(0).padStart(5)} MB`
}

/** The slowest by the clock. */
export function slowestFiles(results: readonly BatchResult[]): string[] {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN)
  return [`The slowest ${slowest.length}:`, ...slowest.map(result => `  ${measures(result)}  ${result.name}`)]
}

/**
 * Lists what is wrong with a run beside tests that failed: processes that take too much memory. How long a file takes depends on the
 * machine, so nothing fails over it.
 * @param others processes that serve several batches
 */
export function excesses(results: readonly BatchResult[], others: readonly ProcessUsage[] = []): string[] {
  return [...results, ...others]
    .filter(({ memoryMbMax }) => memoryMbMax > MEMORY_MB_MAX)
    .map(
      ({ name, memoryMbMax }) => `${name} took ${memoryMbMax.toFixed(0)} MB in one process of ${MEMORY_MB_MAX} allowed`,
    )
}

/** The output of failing files comes before their names, since the end of a long log is what is read. */
export function failures(results: readonly BatchResult[]): string[] {
  const failed = results.filter(({ failed, fault }) => failed > 0 || fault)
  const said = failed.flatMap(({ name, output }) => [`--- ${name}`, failureOutput(output), ''])
  const names = failed.flatMap(({ name, output, fault }) => {
    const tests = failedTests(output).map(test => `  ${test.path ?? name}: ${test.name}`)
    const reasons = [...tests, ...(fault ? [`  ${name}: ${fault}`] : [])]
    return reasons.length > 0 ? reasons : [`  ${name}: failed outside of its tests`]
  })
  return failed.length > 0 ? ['', ...said, 'Failed:', ...names] : []
}

export interface Totals {
  readonly passed: number
  readonly failed: number
}

/** A process that has a fault counts as one failure more than its tests. */
export function totals(results: readonly BatchResult[], further: number): Totals {
  const sum = (of: (result: BatchResult) => number) => results.reduce((total, result) => total + of(result), 0)
  return { passed: sum(({ passed }) => passed), failed: sum(({ failed, fault }) => failed + (fault ? 1 : 0)) + further }
}

export function filesOf(results: readonly BatchResult[]): number {
  return results.reduce((total, { paths }) => total + paths.length, 0)
}

export function closingLine(
  { passed, failed }: Totals,
  results: readonly BatchResult[],
  others: readonly ProcessUsage[],
  seconds: number,
): string {
  const skipped = results.reduce((total, result) => total + result.skipped, 0)
  const processes = [...results, ...others]
  const processorSeconds = processes.reduce((total, process) => total + process.processorSeconds, 0)
  return [
    `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} in ${filesOf(results)} files`,
    `${seconds.toFixed(0)} s, ${processorSeconds.toFixed(0)} s of processor time`,
    `at most ${Math.max(0, ...processes.map(process => process.memoryMbMax)).toFixed(0)} MB a process`,
  ].join('; ')
}
