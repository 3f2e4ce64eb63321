import { default as progress } from 'cli-progress'
import type { FirstStart } from '../core/auth/bootstrap.ts'
import { basePathOf } from '../core/config.ts'
import { type Kernel, START_STEPS } from '../core/kernel.ts'

/** Prints the few plain lines of a start on standard output. */
export function announce(kernel: Kernel, url: string | undefined): void {
  // People go below the path; those who watch the process may leave it out.
  const at = `${url}${basePathOf(kernel.config)}`
  const lines = [
    `Mneme listens on ${at}`,
    ...kernel.summary.map(line => `  ${line}`),
    `  reference  ${at}/docs`,
    ...(kernel.home ? [`  console    ${at}${kernel.home}/`] : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/**
 * Prints the secrets that a first start made, once and in no log. It does so as soon as they are made, since the start
 * may still fail.
 */
export function announceFirstStart({ email, password, apiKey }: FirstStart): void {
  const lines = [
    'First start. Keep these; they are not shown again:',
    `  account    ${email}`,
    ...(password ? [`  password   ${password}`] : []),
    ...(apiKey ? [`  API key    ${apiKey}`] : []),
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Shows in a terminal how far a start is; elsewhere it shows nothing. Once it is stopped, it is gone from the screen. */
export function startBar(): { step(next: string): void; stop(): void } {
  if (!process.stderr.isTTY) return { step: () => undefined, stop: () => undefined }
  const look = {
    format: '[{bar}] {next}',
    barsize: 20,
    clearOnComplete: true,
    hideCursor: true,
    stream: process.stderr,
  }
  const bar = new progress.SingleBar(look)
  let done = 0
  bar.start(START_STEPS, done, { next: '' })
  return {
    step: next => bar.update(done++, { next }),
    stop: () => bar.stop(),
  }
}
