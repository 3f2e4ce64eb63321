import type { FirstStart } from '../core/auth/bootstrap.ts'
import type { Kernel } from '../core/kernel.ts'

/** Prints the few plain lines of a start on standard output. */
export function announce(kernel: Kernel, url: string | undefined): void {
  const lines = [
    `Mneme listens on ${url}`,
    ...kernel.summary.map(line => `  ${line}`),
    `  reference  ${url}/docs`,
    ...(kernel.home ? [`  console    ${url}${kernel.home}/`] : []),
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
