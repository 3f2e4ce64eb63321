import { setTimeout as sleep } from 'node:timers/promises'
import type { Static, TObject } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import { systemClock } from '../../clock.ts'
import { ByteBudget } from '../../fair/byte-budget.ts'
import { Semaphore } from '../../fair/semaphore.ts'
import { type Holding, held } from '../../resources/holdings.ts'
import { retryPauseMs } from '../http/post-json.ts'
import { Availability } from './availability.ts'
import type { LanguageEndpoint, Outcome, Question, Repair } from './endpoint.ts'
import { fit } from './fit.ts'
import {
  type Generated,
  type GenerateRequest,
  LanguageModelOutputError,
  type LanguageModelParts,
  LanguageModelUnavailableError,
  type LanguagePriority,
  type OpenLanguageModel,
  OUTPUT_TOKENS_MAX,
  type Outage,
  TIMEOUT_MS,
  type TokenUsage,
} from './language-model.ts'

/** Nothing is wrong with it, so an endpoint that refuses it refuses everything. */
const CONTROL: Question = {
  system: 'Tell whether the message can be read.',
  input: 'Good morning.',
  schema: Type.Object({ readable: Type.Boolean() }),
  maxTokens: 200,
}

export interface RemoteModelSettings {
  /** So many background calls run at once; one more is kept free for interactive ones. Default 4. */
  readonly concurrency?: number
  /** So many calls may wait for their turn. Default 1,000. */
  readonly waitingMax?: number
  /** The first pause before another try; it doubles each time. Default 500. */
  readonly retryDelayMs?: number
}

const CONCURRENCY = 4
const WAITING_MAX = 1_000
/** The prompts of all calls that are under way or wait, of which no workspace has more than a third. */
const PROMPT_BYTES_MAX = 32 * 1024 ** 2
/** A refused caller should stay away for so long, since calls take seconds. */
const FULL_RETRY_AFTER_MS = 5_000
const RETRY_DELAY_MS = 500
const RETRY_DELAY_MAX_MS = 20_000
const TRIES_MAX = 8
/** Where nobody is at the address, a call is over within seconds, which a restart of the model's server may take. */
const UNCONNECTED_TRIES_MAX = 4
/** A completion that does not fit the schema is mended once at the most. */
const MALFORMED_MAX = 2
/** The model is shown so much of a completion that did not fit, in UTF-16 units. */
const SAID_MAX = 4_000
const OTHER_FORM = 'answered in another form than asked for'
/** Bad inputs come in groups, which are not worth a control question each. */
const INPUTS_BLAMED_MS = 60_000
/** So many refusals in a row are put down to their inputs before the control question is asked again. */
const INPUTS_BLAMED_MAX = 3
const NO_FORM = 'It is not in the form that was asked for.'

/** One call that is under way. */
interface Call<T extends TObject> {
  readonly request: GenerateRequest<T>
  readonly priority: LanguagePriority
  /** The caller's time ends then, by `performance.now`. */
  readonly deadline: number
  /** Aborted by the caller, the deadline or `close`. */
  readonly ending: AbortSignal
}

export interface RemoteModelParts extends LanguageModelParts {
  readonly modelId: string
  /** Names the model in log lines and errors, e.g. `Claude (claude-haiku-5-5)`. */
  readonly name: string
  readonly endpoint: LanguageEndpoint
}

/**
 * Makes a language model of an endpoint: it holds completions against the schema, has the model mend one that does not
 * fit, repeats what may succeed later, counts tokens, and keeps calls from a model that is away.
 */
export class RemoteModel implements OpenLanguageModel {
  readonly modelId: string
  readonly #retryDelayMs: number
  readonly #parts: RemoteModelParts
  readonly #endpoint: LanguageEndpoint
  readonly #permits: Semaphore<LanguagePriority>
  readonly #prompts = new ByteBudget(PROMPT_BYTES_MAX)
  readonly holding: Holding = held({
    name: 'models.language_queue',
    maxBytes: PROMPT_BYTES_MAX,
    bytes: () => this.#prompts.used,
  })
  readonly #availability: Availability
  readonly #closing = new AbortController()
  readonly #active = new Set<Promise<unknown>>()
  /** Until then, by `performance.now`, a refusal is put down to its input. */
  #inputsBlamedUntil = 0
  /** Refusals since the last completion or control question. */
  #inputsBlamed = 0

  constructor(settings: RemoteModelSettings, parts: RemoteModelParts) {
    this.modelId = parts.modelId
    this.#retryDelayMs = settings.retryDelayMs ?? RETRY_DELAY_MS
    this.#parts = parts
    this.#endpoint = parts.endpoint
    this.#availability = new Availability(parts.name, parts.log)
    const { concurrency = CONCURRENCY, waitingMax = WAITING_MAX } = settings
    this.#permits = new Semaphore({
      clock: systemClock,
      total: concurrency + 1,
      classes: { interactive: {}, background: { leaves: 1 } },
      waitingMax,
      refuse: (_, signal) => signal?.reason ?? tooMany(),
    })
  }

  available(priority: LanguagePriority = 'background'): boolean {
    return !this.#closing.signal.aborted && this.#availability.waitMs(priority) === 0
  }

  outage(): Outage | undefined {
    return this.#availability.outage
  }

  async generate<T extends TObject>(request: GenerateRequest<T>): Promise<Generated<Static<T>>> {
    const { priority = 'background', timeoutMs = TIMEOUT_MS, signal, maxTokens } = request
    if (maxTokens > OUTPUT_TOKENS_MAX) throw new RangeError(`maxTokens must be at most ${OUTPUT_TOKENS_MAX}`)
    signal?.throwIfAborted()
    this.#availability.check(priority)
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), timeoutMs)
    const ending = AbortSignal.any([this.#closing.signal, timeout.signal, ...(signal ? [signal] : [])])
    const call = { request, priority, deadline: performance.now() + timeoutMs, ending }
    const work = this.#inTurn(call).catch(error => {
      signal?.throwIfAborted()
      if (ending.aborted && error === ending.reason) throw new LanguageModelUnavailableError(NO_TURN)
      throw error
    })
    this.#active.add(work)
    try {
      return await work
    } finally {
      clearTimeout(timer)
      this.#active.delete(work)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#active)
  }

  /** @throws LanguageModelUnavailableError when too many wait, or too long ones, or after `close` */
  async #inTurn<T extends TObject>(call: Call<T>): Promise<Generated<Static<T>>> {
    const { request, priority: of, ending } = call
    const { workspaceId, system, input } = request
    if (this.#closing.signal.aborted) throw closed()
    const bytes = 2 * (system.length + input.length)
    if (!this.#prompts.reserve(workspaceId, bytes)) throw tooMany()
    try {
      return await this.#permits.run(workspaceId, { of, signal: () => ending }, () => this.#ask(call))
    } finally {
      this.#prompts.release(workspaceId, bytes)
    }
  }

  /** Tries until there is a completion that fits, or the call is over for another reason. */
  async #ask<T extends TObject>(call: Call<T>): Promise<Generated<Static<T>>> {
    const { request, priority, ending } = call
    this.#availability.enter(priority)
    let malformed = 0
    let spent = NOTHING
    let repair: Repair | undefined
    for (let tries = 1; ; tries++) {
      const outcome = await this.#send(call, repair)
      if (ending.aborted && outcome.kind === 'transient') throw this.#ended(call)
      const judged = this.#judge(request, outcome)
      if ('usage' in judged) spent = sum(spent, judged.usage)
      if (judged.kind === 'fits') {
        this.#availability.succeeded(priority)
        return { value: judged.value, usage: spent }
      }
      if (judged.kind === 'useless' && judged.reason === 'malformed' && ++malformed < MALFORMED_MAX) {
        repair = { said: judged.said.slice(0, SAID_MAX), fault: judged.fault }
        continue
      }
      if (judged.kind !== 'transient') throw this.#verdict(priority, judged, spent)
      const delayMs = Math.max(
        judged.retryAfterMs ?? 0,
        retryPauseMs(tries - 1, this.#retryDelayMs, RETRY_DELAY_MAX_MS),
      )
      const triesMax = judged.isAway ? UNCONNECTED_TRIES_MAX : TRIES_MAX
      if (tries >= triesMax || performance.now() + delayMs > call.deadline) throw this.#verdict(priority, judged, spent)
      await sleep(delayMs, undefined, { signal: ending }).catch(() => undefined)
      if (ending.aborted) throw this.#ended(call)
    }
  }

  /**
   * Sends one request. An endpoint that worked once and now refuses an input may refuse everything since: its account is
   * empty, or the model takes requests in another way. The control question tells the one from the other.
   */
  async #send<T extends TObject>({ request, ending }: Call<T>, repair: Repair | undefined): Promise<Outcome> {
    const question = { ...request, repair }
    const outcome = await this.#endpoint.send(question, ending)
    if (outcome.kind === 'completion') this.#inputsBlamed = 0
    if (outcome.kind !== 'rejected' || this.#blameInput()) return outcome
    this.#inputsBlamed = 0
    const { verdict, outcomes } = await askControl(this.#endpoint, ending)
    for (const asked of outcomes) this.#count(request, asked)
    if (verdict.kind === 'fails') return verdict.outcome
    this.#inputsBlamedUntil = performance.now() + INPUTS_BLAMED_MS
    return verdict.kind === 'another way' ? this.#endpoint.send(question, ending) : outcome
  }

  /** Puts a refusal down to its input, without asking, and counts it; tells whether it did. */
  #blameInput(): boolean {
    if (!this.#endpoint.proven) return true
    return performance.now() < this.#inputsBlamedUntil && ++this.#inputsBlamed <= INPUTS_BLAMED_MAX
  }

  #count({ workspaceId, operation }: GenerateRequest<TObject>, outcome: Outcome): void {
    if (!('usage' in outcome)) return
    const { inputTokens, outputTokens } = outcome.usage
    this.#parts.usage.tokens(workspaceId, operation, inputTokens, outputTokens)
  }

  /** Counts the tokens of a completion and holds it against the schema. */
  #judge<T extends TObject>(request: GenerateRequest<T>, outcome: Outcome) {
    if (outcome.kind !== 'completion' && outcome.kind !== 'useless') return outcome
    const { usage, said } = outcome
    this.#count(request, outcome)
    if (outcome.kind === 'useless') return { ...outcome, fault: NO_FORM }
    const fitting = fit(request.schema, outcome.value)
    if ('value' in fitting) return { kind: 'fits', value: fitting.value, usage } as const
    const { fault } = fitting
    return { kind: 'useless', reason: 'malformed', message: OTHER_FORM, said, fault, usage } as const
  }

  /** Maps an outcome to the caller's error, and notes what it says of the model for later calls. */
  #verdict(priority: LanguagePriority, outcome: Exclude<Outcome, { kind: 'completion' }>, spent: TokenUsage): Error {
    if (outcome.kind === 'transient') return this.#availability.failed(priority, outcome)
    if (outcome.kind === 'misconfigured') return this.#availability.broke(priority, outcome.message)
    if (outcome.kind === 'rejected' && !this.#endpoint.proven) {
      // As long as no request succeeded, the settings are as likely at fault as the input.
      return this.#availability.failed(priority, { message: outcome.message })
    }
    this.#availability.succeeded(priority)
    const reason = outcome.kind === 'rejected' ? 'rejected' : outcome.reason
    return new LanguageModelOutputError(
      reason,
      `${this.#parts.name} ${outcome.message}`,
      spent.inputTokens + spent.outputTokens,
    )
  }

  #ended({ request: { signal }, priority }: Pick<Call<TObject>, 'request' | 'priority'>): unknown {
    if (signal?.aborted) return signal.reason
    if (this.#closing.signal.aborted) return closed()
    return this.#availability.failed(priority, { message: 'did not answer in time' })
  }
}

function closed(): LanguageModelUnavailableError {
  return new LanguageModelUnavailableError('the language model is closed')
}

function tooMany(): LanguageModelUnavailableError {
  const retryAfterMs = FULL_RETRY_AFTER_MS
  return new LanguageModelUnavailableError('too many calls wait for the language model', { retryAfterMs })
}

const NO_TURN = 'the language model had no turn left in time'

const NOTHING: TokenUsage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }

function sum(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  }
}

interface Control {
  readonly verdict:
    | { readonly kind: 'serves' }
    /** It serves when it is asked in another way than before. */
    | { readonly kind: 'another way' }
    | { readonly kind: 'fails'; readonly outcome: Outcome }
  /** The outcomes of all requests, for the count of tokens. */
  readonly outcomes: readonly Outcome[]
}

/** Finds out whether an endpoint that refuses an input refuses everything, and whether another way of asking helps. */
async function askControl(endpoint: LanguageEndpoint, signal: AbortSignal): Promise<Control> {
  const first = await endpoint.send(CONTROL, signal)
  if (first.kind !== 'rejected')
    return { verdict: isServed(first) ? { kind: 'serves' } : fails(first), outcomes: [first] }
  endpoint.forgetWay()
  const second = await endpoint.send(CONTROL, signal)
  return { verdict: isServed(second) ? { kind: 'another way' } : fails(second), outcomes: [first, second] }
}

/** A completion of no use is one nevertheless. */
function isServed({ kind }: Outcome): boolean {
  return kind === 'completion' || kind === 'useless'
}

function fails(outcome: Outcome): Control['verdict'] {
  if (outcome.kind !== 'rejected') return { kind: 'fails', outcome }
  const message = `${outcome.message}, whatever it is asked: check the account's credit and the model's name`
  return { kind: 'fails', outcome: { kind: 'misconfigured', message } }
}
