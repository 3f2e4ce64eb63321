import type { Kernel } from '../core/kernel.ts'

/** The few plain lines a start prints on standard output. Secrets appear once, on the first start, and in no log. */
export function announce(url: string, kernel: Kernel): void {
  const lines = [
    `Mneme listens on ${url}`,
    ...kernel.summary.map(line => `  ${line}`),
    `  reference  ${url}/docs`,
    ...firstStartLines(kernel),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Only what a first start made, for a start that fails after that. */
export function announceFirstStart(kernel: Kernel): void {
  for (const line of firstStartLines(kernel)) process.stdout.write(`${line}\n`)
}

function firstStartLines({ firstStart }: Kernel): string[] {
  if (!firstStart) return []
  const { email, password, apiKey } = firstStart
  return [
    '',
    'First start. Keep these; they are not shown again:',
    `  account    ${email}`,
    ...(password ? [`  password   ${password}`] : []),
    ...(apiKey ? [`  API key    ${apiKey}`] : []),
  ]
}
