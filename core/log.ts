import pino, { type Logger } from 'pino'
import { blamedFor } from './faults/attribution.ts'

export type { Logger } from 'pino'

/** Values under these names never reach a log line, at any depth we log. */
const SECRET_PATHS = [
  'password',
  'key',
  'secret',
  'token',
  'authorization',
  'cookie',
  'memory',
  'text',
  'query',
  'content',
]

/** So many bytes of lines wait for a disk that is full; what comes after them is not logged. */
const WAITING_BYTES_MAX = 1_000_000

/**
 * Writes JSON lines to standard error; standard output is left to the few plain lines a start prints. It is synchronous
 * on purpose: a line about a crash must not be lost in a buffer. Lines that cannot be written, as to a full disk, wait, and fail no caller.
 */
export function createLog(level: string): Logger {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: WAITING_BYTES_MAX })
  destination.on('error', () => undefined)
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS.flatMap(name => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination,
  )
}

/**
 * Logs type, message, code, stack and the plugin it was caught for, but not the driver's copies of statements'
 * parameters, which are users' data.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = Reflect.get(error, 'code')
  const plugin = blamedFor(error)
  return {
    type: error.name,
    message: error.message,
    ...(plugin === undefined ? {} : { plugin }),
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
