import { BackendType, headerBytes, int32At, spans, stringAt, type TransactionStatus } from './wire.ts'

/** Holds the backend's output, sorted by recipient. */
export interface Replies {
  /** Goes to the connection whose messages ran. */
  own: Uint8Array[]
  notifications: { channel: string; frame: Uint8Array }[]
  /** The status of the last ReadyForQuery; undefined when there was none. */
  status: TransactionStatus | undefined
  /** An ErrorResponse was among it. */
  failed: boolean
  /** Lists the reported commands that matter for channels, in order. */
  commands: ('LISTEN' | 'UNLISTEN' | 'ROLLBACK')[]
}

/** Names replies to leave out because the client did not ask for them or has had them. */
export interface Omitted {
  copyInResponse?: boolean
  firstParseComplete?: boolean
}

/** Sorts the backend's output, which must hold whole frames. */
export function sortReplies(output: Uint8Array, omitted: Omitted = {}): Replies {
  const replies: Replies = { own: [], notifications: [], status: undefined, failed: false, commands: [] }
  let omitParseComplete = omitted.firstParseComplete === true
  let ownFrom = 0
  const leaveOut = (start: number, end: number) => {
    if (start > ownFrom) replies.own.push(output.subarray(ownFrom, start))
    ownFrom = end
  }
  let end = 0
  for (let start = 0; start + headerBytes <= output.length; start = end) {
    end = start + 1 + int32At(output, start + 1)
    const type = output[start]
    if (type === BackendType.notification) {
      replies.notifications.push({
        channel: stringAt(output, start + headerBytes + 4),
        frame: output.slice(start, end),
      })
      leaveOut(start, end)
    } else if (type === BackendType.copyInResponse && omitted.copyInResponse === true) {
      leaveOut(start, end)
    } else if (type === BackendType.parseComplete && omitParseComplete) {
      omitParseComplete = false
      leaveOut(start, end)
    } else {
      note(replies, output, start)
    }
  }
  leaveOut(output.length, output.length)
  return replies
}

function note(replies: Replies, output: Uint8Array, start: number): void {
  const type = output[start]
  if (type === BackendType.readyForQuery) {
    const status = String.fromCharCode(output[start + headerBytes] ?? 0)
    replies.status = status === 'T' || status === 'E' ? status : 'I'
  } else if (type === BackendType.error) {
    replies.failed = true
  } else if (type === BackendType.commandComplete) {
    const command = stringAt(output, start + headerBytes)
    if (command === 'LISTEN' || command === 'UNLISTEN' || command === 'ROLLBACK') replies.commands.push(command)
  }
}

/** Reads the first column, as text, of the rows among the backend's output. */
export function textsOf(output: Uint8Array): string[] {
  const texts: string[] = []
  for (const { type, start } of spans(output)) {
    if (type !== BackendType.dataRow) continue
    // A row is its number of fields (int16), then a length (int32) and the text of each.
    const lengthAt = start + headerBytes + 2
    const length = int32At(output, lengthAt)
    if (length >= 0) texts.push(new TextDecoder().decode(output.subarray(lengthAt + 4, lengthAt + 4 + length)))
  }
  return texts
}
