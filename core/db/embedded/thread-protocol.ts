import type { Identity } from './identity.ts'

/** The task that the worker thread is started with; `module` is PGlite's, compiled. */
export type ThreadTask = { folder: string; module: WebAssembly.Module } & (
  | { kind: 'create' }
  | { kind: 'serve'; passwords: Readonly<Record<Identity, string>>; idleInTransactionMs: number }
)

/** A message of the worker thread to the thread that started it. */
export type ThreadReport =
  | { kind: 'created' }
  | { kind: 'listening'; port: number }
  | { kind: 'crashed'; message: string }
  | { kind: 'stopped' }
  | { kind: 'failed'; message: string }

/** The one message a worker thread is sent: shut the database down. */
export const stopMessage = 'stop'
