import { afterEach } from 'bun:test'
import pg from 'pg'
import postgres from 'postgres'

/** Opens clients for one test and closes them after it. */
export interface Clients {
  /** postgres.js. */
  sql(options?: { max?: number; prepare?: boolean }): postgres.Sql
  /** A single connection of `pg`, not yet connected. Losing it is no error by itself. */
  client(): pg.Client
  pool(max: number): pg.Pool
}

export function useClients(url: () => string): Clients {
  const closes: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    await Promise.all(closes.splice(0).map(close => close().catch(() => undefined)))
  })
  return {
    sql(options) {
      const sql = postgres(url(), { max: 8, connect_timeout: 10, onnotice: () => {}, ...options })
      closes.push(() => sql.end({ timeout: 1 }))
      return sql
    },
    client() {
      const client = new pg.Client({ connectionString: url() })
      client.on('error', () => {})
      closes.push(() => client.end())
      return client
    },
    pool(max) {
      const pool = new pg.Pool({ connectionString: url(), max })
      pool.on('error', () => {})
      pool.on('connect', client => client.on('error', () => {}))
      closes.push(() => pool.end())
      return pool
    },
  }
}

/** Cuts a connection as the death of its process would: no Terminate message. */
export function cut(client: pg.Client): void {
  const connection: unknown = Reflect.get(client, 'connection')
  if (typeof connection !== 'object' || connection === null) throw new Error('pg has changed its internals')
  const stream: unknown = Reflect.get(connection, 'stream')
  if (!(typeof stream === 'object' && stream !== null && 'destroy' in stream && typeof stream.destroy === 'function')) {
    throw new Error('pg has changed its internals')
  }
  stream.destroy()
}

/** Fails when `promise` takes longer, in milliseconds. */
export async function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${limitMs} ms`)), limitMs)
  })
  try {
    return await Promise.race([promise, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** The SQLSTATE or code of the error that `promise` fails with, 'none' when it succeeds. */
export function codeOf(promise: PromiseLike<unknown>): PromiseLike<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
}

/** A promise and the function that keeps it. */
export function signal<Value = void>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  return Promise.withResolvers<Value>()
}
