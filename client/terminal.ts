import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { default as progress, type SingleBar } from 'cli-progress'

/** Where a command writes to, and reads from. */
export interface Terminal {
  print(line: string): void
  /** Writes beside the results. */
  warn(line: string): void
  /** All that comes in. */
  input(): Promise<string>
  /** Asks a person; undefined where nobody is there to answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Shows how far something is; without a screen, nothing. */
  bar(label: string, total: number): { update(done: number, total?: number): void; stop(): void }
}

async function askPerson(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(question)
  lines.close()
  return answer.trim()
}

/** The process's own: results go to the standard output, progress to the standard error. */
export function processTerminal(): Terminal {
  return {
    print: line => process.stdout.write(`${line}\n`),
    warn: line => process.stderr.write(`${line}\n`),
    input: () => text(process.stdin),
    ask: process.stdin.isTTY ? askPerson : undefined,
    bar(label, total) {
      if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined }
      const format = `${label} [{bar}] {percentage} % | {value}/{total} | {eta_formatted} left`
      const bar: SingleBar = new progress.SingleBar({
        format,
        stream: process.stderr,
        clearOnComplete: true,
        hideCursor: true,
      })
      bar.start(Math.max(1, total), 0)
      return {
        update(done, changed) {
          if (changed !== undefined) bar.setTotal(Math.max(1, changed))
          bar.update(done)
        },
        stop: () => bar.stop(),
      }
    },
  }
}
