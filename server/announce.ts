import type { Kernel } from '../core/kernel.ts'

/** The few plain lines a start prints on standard output. Secrets appear once, on the first start, and in no log. */
export function announce(url: string, { summary, firstStart }: Kernel): void {
  const lines = [`Mneme listens on ${url}`, ...summary.map(line => `  ${line}`), `  reference  ${url}/docs`]
  if (firstStart) {
    lines.push('', 'First start. Keep these; they are not shown again:')
    lines.push(`  account    ${firstStart.email}`)
    if (firstStart.password) lines.push(`  password   ${firstStart.password}`)
    if (firstStart.apiKey) lines.push(`  API key    ${firstStart.apiKey}`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}
