/** This thread parses what it is given and ends. See `sql-parser.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'libpg-query'
import type { ParsedSql } from './parsed-sql.ts'

const texts: readonly string[] = workerData
const parsed: ParsedSql[] = []
for (const text of texts) parsed.push(await statementsOf(text))
parentPort?.postMessage(parsed)

async function statementsOf(text: string): Promise<ParsedSql> {
  try {
    return (await parse(text)).stmts ?? []
  } catch {
    return undefined
  }
}
