import { asksForHelp } from '../core/command.ts'
import type { Kernel } from '../core/kernel.ts'
import { exitWithReason } from '../server/process.ts'
import { run } from '../server/run.ts'

const USAGE = `Usage:
  bun run workers   works on the jobs of the servers on the database at DATABASE_URL, until it is stopped`

try {
  const words = process.argv.slice(2)
  if (words.length > 0) explain(words)
  if (!process.env.DATABASE_URL)
    throw new Error('workers need DATABASE_URL: the embedded database belongs to the server alone.')
  await run({
    role: 'worker',
    portOf: ({ WORKERS_PORT }) => ({ setting: 'WORKERS_PORT', port: WORKERS_PORT }),
    announce,
  })
} catch (error) {
  exitWithReason(error)
}

function explain(words: readonly string[]): never {
  const isAsked = asksForHelp(words)
  process[isAsked ? 'stdout' : 'stderr'].write(`${USAGE}\n`)
  process.exit(isAsked ? 0 : 2)
}

function announce({ summary }: Kernel, url: string | undefined): void {
  const lines = [...summary, ...(url ? [`metrics    ${url}/metrics`] : [])]
  process.stdout.write(`Mneme works on jobs\n${lines.map(line => `  ${line}\n`).join('')}`)
}
