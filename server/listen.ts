import type { FetchHandler } from '../core/http/app.ts'

export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly fetch: FetchHandler
}

export interface Listener {
  /** `http://host:port`, with the port actually taken. */
  readonly url: string
  /** Refuses new connections and resolves when the open ones are done. */
  close(): Promise<void>
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
