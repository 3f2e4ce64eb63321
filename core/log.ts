import { isatty } from 'node:tty'
import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import { clipped } from './errors.ts'
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
 * Writes JSON lines to standard error, or short ones for people where that is a terminal; standard output is left to the few plain lines a
 * start prints. It is synchronous on purpose: a line about a crash must not be lost in a buffer. Lines that cannot be written, as to a full
 * disk, wait, and fail no caller.
 *
 * @param isOutage tells whether an error says that the database is away: of the warnings about it one is written in ten seconds
 */
export function createLog(level: string, isOutage: (error: unknown) => boolean = () => false): Logger {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: WAITING_BYTES_MAX })
  destination.on('error', () => undefined)
  const outage = new Outage(isOutage)
  const log: Logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS.flatMap(name => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: (error: unknown) => describeError(error) },
      hooks: {
        logMethod(given, method, levelValue) {
          const line = bounded(given)
          const [fields] = given
          if (!isFields(fields)) return method.apply(this, line)
          const leftOut = levelValue === WARN ? outage.leftOutBefore(fields.err) : 0
          if (leftOut === undefined) return
          const own = leftOut === 0 ? fields : { ...fields, left_out: leftOut }
          // pino writes a field twice that both the line and its logger have.
          const shared = this === log ? {} : this.bindings()
          const isTwice = Object.keys(own).some(name => name in shared)
          method.apply(isTwice ? log : this, replaceFirst(line, isTwice ? { ...shared, ...own } : own))
        },
      },
    },
    isatty(2) ? pretty({ destination, ...FOR_PEOPLE }) : destination,
  )
  return log
}

const WARN = pino.levels.values.warn
const OUTAGE_LINE_MS = 10_000

/**
 * While the database is away every job, chore and check fails for that reason, many times a second. The first warning tells it, and each later one
 * how many were left out before it.
 */
class Outage {
  readonly #isOutage: (error: unknown) => boolean
  #quietUntil = Number.NEGATIVE_INFINITY
  #leftOut = 0

  constructor(isOutage: (error: unknown) => boolean) {
    this.#isOutage = isOutage
  }

  /** @returns undefined for a warning that is to be left out */
  leftOutBefore(error: unknown): number | undefined {
    if (!this.#isOutage(error)) return 0
    const now = performance.now()
    if (now < this.#quietUntil) {
      this.#leftOut++
      return undefined
    }
    const before = this.#leftOut
    this.#quietUntil = now + OUTAGE_LINE_MS
    this.#leftOut = 0
    return before
  }
}

const FOR_PEOPLE = { colorize: !process.env.NO_COLOR, singleLine: true, translateTime: 'SYS:HH:MM:ss' } as const

/** Errors may quote what a caller sent: a database quotes the value that it refuses, which may have megabytes. */
const MESSAGE_MAX = 4000
/** It begins with the message. */
const STACK_MAX = 12_000
/** Causes may go round in a circle. */
const CAUSES_MAX = 10

/**
 * Logs type, message, code, stack and the plugin it was caught for, but not the driver's copies of statements'
 * parameters, which are users' data.
 */
function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: clipped(String(error), MESSAGE_MAX) }
  const code = Reflect.get(error, 'code')
  const plugin = blamedFor(error)
  return {
    type: error.name,
    message: clipped(error.message, MESSAGE_MAX),
    ...(plugin === undefined ? {} : { plugin }),
    ...(code === undefined ? {} : { code }),
    stack: stackOf(error),
    ...(error.cause === undefined || depth >= CAUSES_MAX ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}

/** Bounds what a line says. One of an error alone says its message, which pino would take whole. */
function bounded<A extends unknown[]>(given: A): A {
  const [first, ...rest] = given
  const error = isFields(first) ? first.err : undefined
  const whole = rest.length === 0 && error instanceof Error ? [first, error.message] : given
  return whole.map(part => (typeof part === 'string' ? clipped(part, MESSAGE_MAX) : part)) as A
}

function replaceFirst<A extends unknown[]>([, ...rest]: A, first: unknown): A {
  return [first, ...rest] as A
}

function isFields(first: unknown): first is Record<string, unknown> {
  return typeof first === 'object' && first !== null && !(first instanceof Error)
}

/** A long message, which the stack begins with, leaves room for where the error came from. */
function stackOf({ message, stack }: Error): string | undefined {
  const whole = message.length > MESSAGE_MAX ? stack?.replace(message, () => clipped(message, MESSAGE_MAX)) : stack
  return whole === undefined ? undefined : clipped(whole, STACK_MAX)
}
