import { connect, type Socket } from 'node:net'

/** Writes HTTP by hand as a client, so that it can lie, stop in the middle and go away. */
export class Connection {
  readonly #socket: Socket
  readonly #closed: Promise<void>
  #received: Buffer<ArrayBuffer> = Buffer.alloc(0)
  #told = Promise.withResolvers<void>()

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.on('data', chunk => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#tell()
    })
    // A reset is one way to end; the bytes before it are looked at.
    this.#socket.on('error', () => undefined)
    this.#closed = new Promise(resolve => this.#socket.on('close', () => resolve()))
    void this.#closed.then(() => this.#tell())
  }

  /** @returns false when the server has closed the connection */
  write(data: string | Uint8Array): Promise<boolean> {
    return new Promise(resolve => {
      if (this.#socket.destroyed) resolve(false)
      else this.#socket.write(data, error => resolve(!error))
    })
  }

  /** Returns what has come so far, as Latin-1. */
  get text(): string {
    return this.#received.toString('latin1')
  }

  get size(): number {
    return this.#received.length
  }

  /** Waits until a whole status line and head are there. @returns the head */
  async head(): Promise<string> {
    while (!this.text.includes('\r\n\r\n')) {
      if (this.#socket.destroyed) throw new Error(`closed without a response: ${JSON.stringify(this.text)}`)
      await this.#told.promise
    }
    return this.text.slice(0, this.text.indexOf('\r\n\r\n'))
  }

  /** Stops reading, as a client does whose user has gone away. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Waits until the server closes the connection. @returns all that came */
  async end(): Promise<string> {
    await this.#closed
    return this.text
  }

  /** Goes away without a word. */
  destroy(): void {
    this.#socket.destroy()
  }

  #tell(): void {
    this.#told.resolve()
    this.#told = Promise.withResolvers()
  }
}

/** Writes the head of a request with a key. */
export function headOf(method: string, path: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries({ host: 'x', 'x-api-key': 'owner', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Writes a piece of a body in chunked encoding. */
export function chunkOf(data: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
}
