import { paced } from '../background/pace.ts'
import type { Steps } from '../background/steps.ts'
import { type Delivered, Delivery, type DeliveryWorld, type Recipient, WHOLE_MAX_BYTES } from './delivery.ts'
import { goneSignal } from './gone.ts'
import { methodOf } from './head.ts'
import { jsonResponse } from './respond.ts'
import { reserveRoomInTime } from './response-room.ts'
import { KB } from './sizes.ts'

const PIECE_LENGTH = 64 * KB

/** All of the response is there, so its client alone is waited for. */
const SLACK_MS = 30_000

/** A response with the JSON text of its body, in parts that follow each other; undefined for one without a body. */
export interface JsonText {
  readonly status: number
  readonly parts: readonly string[] | undefined
  readonly headers: Record<string, string>
  /** The request has changed something, so a refusal would come too late. */
  readonly isDone: boolean
}

/**
 * Sends JSON. Large text counts among the responses of its recipient until its client has taken it, piece by piece.
 * Throws SERVICE_UNAVAILABLE where the recipient has too much under way already and reads none of it.
 */
export async function deliverJson(json: JsonText, recipient: Recipient, world: DeliveryWorld): Promise<Delivered> {
  const { status, parts, headers, isDone } = json
  const { request, holder } = recipient
  const bytes = parts === undefined ? 0 : largeBytes(parts)
  if (parts === undefined || bytes === 0 || methodOf(request) === 'HEAD')
    return { response: jsonResponse(status, parts?.join(''), headers) }
  if (isDone) world.transfers.responses.take(holder, bytes)
  else await reserveRoomInTime(world, recipient, bytes)
  const head = { ...headers, 'content-type': 'application/json', 'content-length': String(bytes) }
  return deliverPieces(await paced(pieceSteps(parts)), bytes, { status, headers: head }, recipient, world)
}

/** Sends what is counted already. What it makes lives until the client has read all, so it must not know the text that the pieces are of. */
function deliverPieces(
  pieces: Uint8Array[],
  bytes: number,
  head: { readonly status: number; readonly headers: Record<string, string> },
  { request, holder }: Recipient,
  world: DeliveryWorld,
): Delivered {
  const source = new HeldPieces(pieces, bytes, released => world.transfers.responses.release(holder, released))
  const delivery = new Delivery(() => source, bytes, goneSignal(request), world, SLACK_MS)
  void delivery.ended.then(() => source.drop())
  return { response: new Response(delivery.stream(), head), delivery, isReady: true }
}

/** Returns the bytes of a text that does not go out whole, else 0. */
function largeBytes(parts: readonly string[]): number {
  // A character takes up to three bytes.
  if (parts.reduce((sum, { length }) => sum + length, 0) * 3 <= WHOLE_MAX_BYTES) return 0
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  return bytes > WHOLE_MAX_BYTES ? bytes : 0
}

function* pieceSteps(parts: readonly string[]): Steps<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for (const text of parts) {
    for (let at = 0; at < text.length; ) {
      const end = endOfPiece(text, at + PIECE_LENGTH)
      pieces.push(Buffer.from(text.slice(at, end)))
      at = end
      yield
    }
  }
  return pieces
}

/** A character of two halves stays whole. */
function endOfPiece(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end
}

/** Gives the pieces of a response one by one, and lets go of each when the next is asked for. */
class HeldPieces implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[]
  readonly #release: (bytes: number) => void
  #held: number
  #given = 0

  constructor(pieces: Uint8Array[], bytes: number, release: (bytes: number) => void) {
    this.#pieces = pieces.reverse()
    this.#held = bytes
    this.#release = release
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: async () => this.#next() }
  }

  /** Lets go of all that is left. */
  drop(): void {
    this.#pieces.length = 0
    this.#letGo(this.#held)
  }

  #next(): IteratorResult<Uint8Array> {
    this.#letGo(this.#given)
    const value = this.#pieces.pop()
    this.#given = value?.length ?? 0
    return value ? { done: false, value } : { done: true, value: undefined }
  }

  #letGo(bytes: number): void {
    this.#held -= bytes
    this.#given = 0
    this.#release(bytes)
  }
}
