import type { Identity } from './identity.ts'

/** The task that the worker thread is started with; `module` is PGlite's, compiled. */
export type ThreadTask = { folder: string; module: WebAssembly.Module } & (
  | { kind: 'create' }
  | {
      kind: 'serve'
      passwords: Readonly<Record<Identity, string>>
      requestRole: string
      idleInTransactionMs: number
      /** The address of a module with `collectGarbage`. */
      collector: string | undefined
    }
)

/** A message of the worker thread to the thread that started it. */
export type ThreadReport =
  | { kind: 'created' }
  | { kind: 'listening'; port: number }
  | { kind: 'crashed'; message: string }
  | { kind: 'stopped' }
  | { kind: 'failed'; message: string }

/** The messages that a worker thread is sent: shut the database down, and collect the thread's garbage. */
export const stopMessage = 'stop'
export const collectMessage = 'collect'
