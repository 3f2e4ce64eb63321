import type { FirstStart } from '../core/auth/bootstrap.ts'
import { basePathOf } from '../core/http/base-path.ts'
import type { Kernel } from '../core/kernel.ts'

/** Prints the few plain lines of a start on standard output. */
export function announce(kernel: Kernel, url: string | undefined): void {
  // What watches the process goes to the address alone, and everybody else below the path.
  const at = `${url}${basePathOf(kernel.config.BASE_PATH)}`
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
