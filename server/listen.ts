import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { StartError } from '../core/boot/explain.ts'
import { messageOf } from '../core/failure-reason.ts'
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

/**
 * Says in one sentence why an address cannot be listened on.
 *
 * @param setting names the setting that the port is from
 */
export async function listenFailure(
  error: unknown,
  { host, port }: Omit<ListenOptions, 'fetch'>,
  setting: 'PORT' | 'WORKERS_PORT' = 'PORT',
): Promise<StartError> {
  return new StartError(await reasonOf(error, host, port, setting), { cause: error })
}

async function reasonOf(error: unknown, host: string, port: number, setting: string): Promise<string> {
  // The host is looked up here, since Bun 1.4 reports one that it cannot resolve under any cause, also that the port is
  // in use.
  if (!(await isOwnAddress(host))) {
    return `HOST (${host}) is no address of this machine. Set it to one, as 127.0.0.1, or 0.0.0.0 for all.`
  }
  const message = messageOf(error)
  const said = `${error instanceof Error ? Reflect.get(error, 'code') : ''} ${message}`
  if (/EACCES|EPERM|permission denied/i.test(said)) {
    return `port ${port} may not be taken by this user. Set ${setting} to 1024 or above, or give it the right.`
  }
  if (/EADDRINUSE|address (already )?in use|port \d+ in use/i.test(said)) {
    return `port ${port} is in use. Stop what uses it or set ${setting}.`
  }
  return `HOST (${host}) and ${setting} (${port}) cannot be listened on: ${message}`
}

async function isOwnAddress(host: string): Promise<boolean> {
  const resolved = await lookup(host).catch(() => undefined)
  if (!resolved) return false
  const { address } = resolved
  if (/^127\.|^::1?$|^0\.0\.0\.0$/.test(address)) return true
  return Object.values(networkInterfaces()).some(own => own?.some(each => each.address === address))
}
