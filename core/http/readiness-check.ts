import type { CoreConfig } from '../config.ts'
import type { OpenDatabase } from '../db/database.ts'
import type { Storage } from '../db/storage.ts'
import { messageOf } from '../failure-reason.ts'
import { inTime } from '../in-time.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { OpenEmbedder } from '../models/embedder.ts'
import type { OpenLanguageModel } from '../models/language/language-model.ts'
import type { HealthCheck, HealthDetails } from '../plugin.ts'

/** The services that operators ask about. */
export interface Services {
  readonly config: CoreConfig
  readonly database: OpenDatabase
  readonly storage: Storage
  readonly embedder: OpenEmbedder
  readonly language: OpenLanguageModel
  readonly memory: { readonly isShort: boolean }
  readonly metrics: Metrics
  readonly log: Logger
}

/** `/ready` shows the core's own parts under these names, so no plugin's check may have one of them. */
export const CORE_CHECKS = [
  'database',
  'migrations',
  'queue',
  'embedder',
  'language',
  'quarantine',
  'memory',
  'jobs of the core',
] as const

export type CoreCheck = (typeof CORE_CHECKS)[number]

/** A health check of the core, under one of its names. */
export interface CoreHealthCheck extends HealthCheck {
  readonly name: CoreCheck
}

/** A check that takes longer counts as failed, so that a probe gets its response in time. */
export const CHECK_TIMEOUT_MS = 2000
/** A timeout is distinguished from a check's own failure. */
const EMBEDDER_TIMEOUT_MS = 1500

const DETAILS_MAX = 20
const DETAIL_MAX_LENGTH = 300

/** A check together with its owner: a plugin's id, or `core`. */
export interface OwnedCheck {
  readonly owner: string
  readonly check: HealthCheck
}

/** A check says this at one moment. */
export interface Finding {
  readonly name: string
  readonly state: 'ok' | 'degraded' | 'failed'
  readonly details: HealthDetails | undefined
}

/** Runs a health check for `/ready`, in time and in the right form, whatever the plugin's code does. */
export class ReadinessCheck {
  readonly #check: HealthCheck
  readonly #log: Logger
  readonly #named: string
  /** Concurrent probes wait for the same run, so that one that hangs does so once. */
  #running: Promise<void> | undefined
  #hasFailed = false

  constructor({ owner, check }: OwnedCheck, log: Logger) {
    this.#check = check
    this.#log = log
    this.#named = `${owner === 'core' ? owner : `plugin ${owner}`}: the health check ${check.name}`
  }

  /**
   * Runs the check.
   * @returns reads the state and the details. Whoever runs several checks calls it when all have ended, so that state
   * and details are of one moment.
   */
  async run(): Promise<() => Finding> {
    const { name } = this.#check
    try {
      await inTime(this.#run(), CHECK_TIMEOUT_MS, () => {
        throw new Error(`it did not answer within ${CHECK_TIMEOUT_MS} ms`)
      })
      this.#hasFailed = false
      return () => ({ name, state: this.#state(), details: this.#details() })
    } catch (error) {
      const state = this.#fail(error)
      return () => ({ name, state, details: this.#details() })
    }
  }

  #state(): Finding['state'] {
    try {
      return this.#check.state?.() === 'degraded' ? 'degraded' : 'ok'
    } catch (error) {
      return this.#fail(error)
    }
  }

  /** A plugin that fails to give any details has said enough by its state. */
  #details(): HealthDetails | undefined {
    try {
      const given = this.#check.details?.()
      return given && presentable(given)
    } catch (error) {
      this.#log.warn({ err: error }, `${this.#named} has no details`)
      return undefined
    }
  }

  #fail(error: unknown): Finding['state'] {
    // A balancer asks every second or two.
    this.#log[this.#hasFailed ? 'debug' : 'warn']({ err: error }, `${this.#named} failed: ${messageOf(error)}`)
    this.#hasFailed = true
    return this.#check.essential ? 'failed' : 'degraded'
  }

  #run(): Promise<void> {
    this.#running ??= Promise.try(() => this.#check.check()).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }
}

/** Keeps texts and numbers of bounded length and leaves out everything else that a plugin gives. */
function presentable(details: HealthDetails): HealthDetails {
  const entries = Object.entries<unknown>(details).slice(0, DETAILS_MAX)
  return Object.fromEntries(
    entries.flatMap(([key, value]): [string, string | number | null][] => {
      const name = key.slice(0, DETAIL_MAX_LENGTH)
      if (typeof value === 'string') return [[name, value.slice(0, DETAIL_MAX_LENGTH).toWellFormed()]]
      return value === null || (typeof value === 'number' && Number.isFinite(value)) ? [[name, value]] : []
    }),
  )
}

/** Without room on its disk the database reads on, or, embedded, starts again and again: it says what to do. */
export function databaseCheck({ database, storage }: Pick<Services, 'database' | 'storage'>): CoreHealthCheck {
  const isFull = () => database.lacksRoom() || storage.lacksRoom?.() === true
  let isAway = false
  return {
    name: 'database',
    async check() {
      isAway = true
      await database.ping(CHECK_TIMEOUT_MS)
      isAway = false
    },
    state: () => (database.lacksRoom() ? 'degraded' : 'ok'),
    details: () =>
      database.lacksRoom() || (isAway && isFull()) ? { fault: 'its disk is full: make room' } : undefined,
  }
}

/**
 * Whatever a language model does has a local way beside it, so a server without it serves on. The model is not asked,
 * which would cost money: its state is that of the latest calls.
 */
export function languageCheck({ language }: Pick<Services, 'language'>): CoreHealthCheck[] {
  if (language.modelId === 'none') return []
  return [
    {
      name: 'language',
      check: async () => undefined,
      state: () => (language.outage() ? 'degraded' : 'ok'),
      details() {
        const outage = language.outage()
        return outage && { fault: outage.message, failed_at: outage.at.toISOString() }
      },
    },
  ]
}

/**
 * Without its model a server finds texts by words, takes new ones and embeds them later, so requests need not go
 * elsewhere.
 */
export function embedderCheck({ embedder, log }: Pick<Services, 'embedder' | 'log'>): CoreHealthCheck {
  let state: 'ok' | 'degraded' = 'ok'
  return {
    name: 'embedder',
    async check() {
      try {
        await inTime(embedder.ready(), EMBEDDER_TIMEOUT_MS, () => {
          throw new Error('the embedding model does not answer')
        })
        state = 'ok'
      } catch (error) {
        if (state === 'ok') log.warn({ err: error }, 'the embedding model is unavailable')
        state = 'degraded'
      }
    },
    state: () => state,
  }
}
