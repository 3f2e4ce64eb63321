import { Worker } from 'node:worker_threads'
import type { ParsedSql } from './parsed-sql.ts'

/**
 * Parses texts with the parser of Postgres itself, in a thread that ends with it: the parser reserves 128 MB, and while they
 * are there the collector of garbage lets this process grow by twice as much before it begins.
 */
export async function parseSql(texts: readonly string[]): Promise<ParsedSql[]> {
  if (texts.length === 0) return []
  const worker = new Worker(new URL('./sql-parser-thread.ts', import.meta.url), { workerData: texts })
  try {
    return await new Promise<ParsedSql[]>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', code => reject(new Error(`the parser of migrations ended with ${code}`)))
    })
  } finally {
    await worker.terminate()
  }
}
