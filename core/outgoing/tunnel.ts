import { connect, type Socket } from 'node:net'
import { OutgoingError } from './outgoing-error.ts'

const HEAD_BYTES_MAX = 16_384

/**
 * Opens a connection to an address through an HTTP proxy, by CONNECT. It is asked for the address and not for the name, so that it reaches
 * what was checked and nothing else.
 * @throws OutgoingError where the proxy refuses; the reason of `signal` when that is aborted
 */
export function openTunnel(proxy: URL, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = connect({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: Number(proxy.port || 80),
      noDelay: true,
    })
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort)
      socket.destroy()
      reject(error)
    }
    const abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    // The listener stays for good: a socket that fails without one would end the process.
    socket.on('error', fail)
    socket.once('close', () => fail(new Error('the proxy closed the connection')))
    socket.once('connect', () => socket.write(requestTo(proxy, address.includes(':') ? `[${address}]` : address, port)))
    let head = Buffer.alloc(0)
    socket.on('data', function read(chunk: Buffer) {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length <= HEAD_BYTES_MAX) return
      socket.off('data', read)
      const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1')) ?? []
      if (end < 0 || status === undefined) return fail(refusal('does not answer as one'))
      if (!status.startsWith('2')) return fail(refusal(`refuses it with ${status}`))
      signal.removeEventListener('abort', abort)
      if (head.length > end + 4) socket.unshift(head.subarray(end + 4))
      resolve(socket)
    })
  })
}

function requestTo({ username, password }: URL, host: string, port: number): string {
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const authorization = username ? `Proxy-Authorization: Basic ${credentials}\r\n` : ''
  return `CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n${authorization}\r\n`
}

function refusal(what: string): OutgoingError {
  return new OutgoingError('CONNECTION_FAILED', `No connection could be made: the service's proxy ${what}.`)
}
