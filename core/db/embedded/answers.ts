import { BackendType, headerBytes, int32At, stringAt, type TransactionStatus } from './wire.ts'

/** What the backend answered, sorted by who gets it. */
export interface Answers {
  /** For the connection whose messages ran. */
  own: Uint8Array[]
  notifications: { channel: string; frame: Uint8Array }[]
  /** From the last ReadyForQuery; undefined when there was none. */
  status: TransactionStatus | undefined
  /** An ErrorResponse was among it. */
  failed: boolean
  /** The commands it reported that matter for channels, in order. */
  commands: ('LISTEN' | 'UNLISTEN' | 'ROLLBACK')[]
}

/** Answers to leave out because the client did not ask for them or has had them. */
export interface Omitted {
  copyInResponse?: boolean
  firstParseComplete?: boolean
}

/** Sorts the backend's output, which must hold whole frames. */
export function sortAnswers(output: Uint8Array, omitted: Omitted = {}): Answers {
  const answers: Answers = { own: [], notifications: [], status: undefined, failed: false, commands: [] }
  let omitParseComplete = omitted.firstParseComplete === true
  let ownFrom = 0
  const leaveOut = (start: number, end: number) => {
    if (start > ownFrom) answers.own.push(output.subarray(ownFrom, start))
    ownFrom = end
  }
  let end = 0
  for (let start = 0; start + headerBytes <= output.length; start = end) {
    end = start + 1 + int32At(output, start + 1)
    const type = output[start]
    if (type === BackendType.notification) {
      answers.notifications.push({
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
      note(answers, output, start)
    }
  }
  leaveOut(output.length, output.length)
  return answers
}

function note(answers: Answers, output: Uint8Array, start: number): void {
  const type = output[start]
  if (type === BackendType.readyForQuery) {
    const status = String.fromCharCode(output[start + headerBytes] ?? 0)
    answers.status = status === 'T' || status === 'E' ? status : 'I'
  } else if (type === BackendType.error) {
    answers.failed = true
  } else if (type === BackendType.commandComplete) {
    const command = stringAt(output, start + headerBytes)
    if (command === 'LISTEN' || command === 'UNLISTEN' || command === 'ROLLBACK') answers.commands.push(command)
  }
}
