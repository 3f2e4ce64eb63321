import { messageOf } from './outcome.ts'
import { BackendType, cString, FrontendType, frame, spans, syncFrame } from './wire.ts'

/**
 * Types the part of PGlite's WASM module that is driven here (`PGlite.Module`, version 0.5.14; Emscripten's half of it
 * is not typed by the package). PGlite's own `execProtocolRawStream` is not used because its loop swallows every
 * exception: after a stack overflow or an exit of the backend it goes on with a dead one, in some cases for ever.
 */
export interface PostgresModule {
  readonly HEAPU8: Uint8Array
  addFunction(callback: (pointer: number, length: number) => number, signature: string): number
  stackSave(): number
  stackRestore(pointer: number): void
  _pgl_set_rw_cbs(read: number, write: number): void
  _pgl_pq_flush(): void
  _pq_buffer_remaining_data(): number
  _PostgresMainLoopOnce(): void
  _PostgresMainLongJmp(): void
  _PostgresSendReadyForQueryIfNecessary(): void
  /** `SetUserIdAndSecContext` of Postgres's `miscinit.c`, which extensions call. */
  _SetUserIdAndSecContext(userId: number, securityContext: number): void
}

/** PGlite's build signals an ordinary SQL error by this exit status, which `_PostgresMainLongJmp` has to report. */
const sqlErrorStatus = 100
/** The buffer of replies is this large between them, and larger while a reply needs more. */
const outputRoomBytes = 256 * 1024

/** The backend cannot go on and must be opened again; its data recovers as after a crash of any Postgres. */
export class BackendCrashedError extends Error {
  override readonly name = 'BackendCrashedError'
}

/** Speaks to the one Postgres backend in whole protocol messages. */
export class Backend {
  readonly #module: PostgresModule
  readonly #outputMaxBytes: number
  #input: readonly Uint8Array[] = []
  #part = 0
  #offset = 0
  /**
   * The reply under way, in the first `#outputBytes`. One buffer serves all replies and grows in its place: pieces of 8 kB to be joined
   * afterwards, or buffers of twice the size, are garbage of the reply's size and more, and beside the memory of the module the collector
   * takes it for little and waits.
   */
  readonly #output: Uint8Array<ArrayBuffer>
  #outputBytes = 0
  #crashed = false

  /** Takes over the module's input and output: PGlite's own query functions must not be used afterwards. */
  constructor(module: PostgresModule, outputMaxBytes: number) {
    this.#module = module
    this.#outputMaxBytes = outputMaxBytes
    const maxByteLength = Math.max(outputMaxBytes, outputRoomBytes)
    this.#output = new Uint8Array(new ArrayBuffer(outputRoomBytes, { maxByteLength }))
    const read = module.addFunction((pointer, length) => this.#read(pointer, length), 'ipi')
    const write = module.addFunction((pointer, length) => this.#write(pointer, length), 'ipi')
    module._pgl_set_rw_cbs(read, write)
  }

  /**
   * Runs messages (whole frames) and returns the backend's whole reply, or undefined when that is over the limit and
   * was thrown away (the messages have run). Blocks the thread meanwhile. Throws BackendCrashedError.
   */
  execute(messages: readonly Uint8Array[]): Uint8Array | undefined {
    if (this.#crashed) throw new BackendCrashedError('the backend has crashed')
    this.#input = messages
    this.#part = 0
    this.#offset = 0
    this.#outputBytes = 0
    try {
      while (this.#hasInput() || this.#module._pq_buffer_remaining_data() > 0) this.#step()
      this.#module._PostgresSendReadyForQueryIfNecessary()
      this.#module._pgl_pq_flush()
    } catch (cause) {
      this.#crashed = true
      throw new BackendCrashedError(`the database backend crashed: ${describe(cause)}`, { cause })
    } finally {
      this.#input = []
    }
    return this.#takeOutput()
  }

  /** Sets the user whose rights hold from now on, and its security context. Only outside of a transaction. */
  actAs(userId: number, securityContext: number): void {
    this.#module._SetUserIdAndSecContext(userId, securityContext)
  }

  #takeOutput(): Uint8Array | undefined {
    const output = this.#outputFits ? this.#output.slice(0, this.#outputBytes) : undefined
    if (this.#output.length > outputRoomBytes) this.#output.buffer.resize(outputRoomBytes)
    return output
  }

  get #outputFits(): boolean {
    return this.#outputBytes <= this.#outputMaxBytes
  }

  #step(): void {
    const stack = this.#module.stackSave()
    try {
      this.#module._PostgresMainLoopOnce()
    } catch (error) {
      if (!isExit(error) || error.status !== sqlErrorStatus) throw error
      this.#module.stackRestore(stack)
      this.#module._PostgresMainLongJmp()
    }
  }

  #hasInput(): boolean {
    return this.#part < this.#input.length
  }

  #read(pointer: number, maxLength: number): number {
    if (!this.#hasInput()) this.#endCopy()
    const part = this.#input[this.#part]
    if (part === undefined) return 0
    const bytes = part.subarray(this.#offset, this.#offset + maxLength)
    this.#module.HEAPU8.set(bytes, pointer)
    this.#offset += bytes.length
    if (this.#offset === part.length) {
      this.#part++
      this.#offset = 0
    }
    return bytes.length
  }

  /**
   * The backend asks for more than was given: the input holds a COPY FROM STDIN whose data the multiplexer did not
   * expect. An end of input would make the backend exit, so the COPY is made to fail instead.
   */
  #endCopy(): void {
    if (!this.#outputFits) return
    let copying = false
    for (const span of spans(this.#output.subarray(0, this.#outputBytes)))
      copying = span.type === BackendType.copyInResponse
    if (!copying) return
    const reason = 'COPY FROM STDIN must be a query of its own in the simple protocol here'
    const failure = [frame(FrontendType.copyFail, cString(reason))]
    // A Sync sent after Execute was eaten by the COPY, and the client awaits its reply.
    if (this.#input.some(message => message[0] === FrontendType.execute)) failure.push(syncFrame)
    this.#input = failure
    this.#part = 0
  }

  #write(pointer: number, length: number): number {
    const start = this.#outputBytes
    this.#outputBytes += length
    if (this.#outputFits) {
      if (this.#outputBytes > this.#output.length) this.#enlargeOutput()
      this.#output.set(this.#module.HEAPU8.subarray(pointer, pointer + length), start)
    }
    return length
  }

  #enlargeOutput(): void {
    const wanted = Math.max(this.#outputBytes, 2 * this.#output.length)
    this.#output.buffer.resize(Math.min(wanted, this.#output.buffer.maxByteLength))
  }
}

function isExit(error: unknown): error is { status: number } {
  return typeof error === 'object' && error !== null && 'status' in error
}

function describe(cause: unknown): string {
  if (isExit(cause)) return `exit status ${cause.status}`
  return messageOf(cause)
}
