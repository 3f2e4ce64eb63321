import { Type } from '@sinclair/typebox'
import {
  AppError,
  DAY_MS,
  EmbedderUnavailableError,
  failureReason,
  isContended,
  isUnavailable,
  type Snooze,
  snoozeFor,
  type Tx,
  tasksOf,
} from 'mneme/plugin'
import { memoryReader } from '../../memories/contract.ts'
import type { Turn } from '../conversation.ts'
import { BEFORE, readWindow, WINDOW } from '../extraction/read-window.ts'
import { EXTRACT } from '../jobs.ts'
import { keepFacts } from '../keep-facts.ts'
import { claimForReading, giveUp } from '../queries/progress.ts'
import { memoriesOfTurns } from '../queries/read-again.ts'
import { findTurns, findTurnsBefore } from '../queries/turns.ts'
import type { ConversationsScope } from '../scope.ts'
import { conversationInstructions } from '../settings.ts'

/** The waits grow from one to the other, since each try may ask a language model again. */
const WAIT_MS_MIN = 30_000

/** Shorter than the time after which a conversation counts as stalled. */
const WAIT_MS_MAX = 600_000

/** A conversation waits for so long in all without using up attempts. */
const OUTAGE_MS_MAX = DAY_MS

const task = tasksOf<ConversationsScope>()

/**
 * Each window of a conversation waits for so long for a language model that is away, before it is read by local means: less than the longest
 * pause between probes of a model, so that one that stays away holds up no conversation time and again.
 */
const MODEL_WAIT_MS = 120_000

/**
 * Reads the next turns of a conversation. Their memories, the note of them and the step to the turns after are one
 * transaction, so that whatever is repeated after a crash finds its place taken and leaves no trace.
 */
export const extractTask = task({
  name: EXTRACT,
  payload: Type.Object({ workspace_id: uuidText(), conversation_id: uuidText(), turn: Type.Integer() }),
  maxAttempts: 5,
  async run({ payload, scope, waitingSince, signal }) {
    try {
      return await readNext(scope, payload, waitingSince, signal)
    } catch (error) {
      const waitMs = outageWaitMs(error, waitingSince)
      if (waitMs === undefined || signal.aborted) throw error
      const { conversation_id: conversation } = payload
      scope.log.warn({ err: error, conversation, waitMs }, 'a conversation waits for what it needs to be back')
      return snoozeFor(waitMs)
    }
  },
  async exhausted({ payload, scope, maxAttempts }, error) {
    const { workspace_id: workspaceId, conversation_id: id, turn } = payload
    if (!(await scope.tenants.find(workspaceId))) return
    const tenant = await scope.tenants.tenant(workspaceId)
    await tenant.transaction(async tx => {
      if (!(await claimForReading(tx, workspaceId, id, turn))) return
      await giveUp(tx, workspaceId, id, failureReason('Reading the conversation', maxAttempts, error))
    })
  },
})

interface Part {
  readonly workspace_id: string
  readonly conversation_id: string
  readonly turn: number
}

async function readNext(
  scope: ConversationsScope,
  part: Part,
  waitingSince: Date | undefined,
  signal: AbortSignal,
): Promise<Snooze | undefined> {
  const { workspace_id: workspaceId, conversation_id: id, turn } = part
  if (!(await scope.tenants.find(workspaceId))) return
  const tenant = await scope.tenants.tenant(workspaceId)
  const window = await tenant.transaction(async tx => {
    const conversation = await claimForReading(tx, workspaceId, id, turn)
    if (!conversation) return undefined
    const [turns, before] = await Promise.all([
      findTurns(tx, workspaceId, id, turn, { ...WINDOW, end: conversation.againEnd }),
      findTurnsBefore(tx, workspaceId, id, turn, BEFORE),
    ])
    return { conversation, turns, before }
  })
  if (!window) return
  const { conversation, turns, before } = window
  const modelWaitMs = MODEL_WAIT_MS - (waitingSince ? Date.now() - waitingSince.getTime() : 0)
  const { userId, instructions: caller } = conversation
  const instructions = { workspace: conversationInstructions.of(tenant.workspace), caller }
  const reading = await readWindow(scope, workspaceId, { turns, before, userId, instructions, modelWaitMs }, signal)
  if ('waitMs' in reading) return snoozeFor(reading.waitMs)
  // Only now, since a model reads for minutes.
  const settled =
    conversation.againEnd === null
      ? new Set<number>()
      : await tenant.transaction(tx => settledTurns(tx, scope, workspaceId, id, turns))
  const facts = reading.facts.filter(({ turn }) => !settled.has(turn))
  await keepFacts(scope, tenant, conversation, turns, { ...reading, facts })
}

/** Finds turns of which a memory was edited, merged or deleted since: reading these again would undo that. */
async function settledTurns(
  tx: Tx,
  { wiring }: ConversationsScope,
  workspaceId: string,
  id: string,
  turns: readonly Turn[],
): Promise<ReadonlySet<number>> {
  const numbers = turns.map(({ turn }) => turn)
  const made = await memoriesOfTurns(tx, workspaceId, id, numbers)
  const ids = made.map(({ memoryId }) => memoryId)
  const records = await wiring.use(memoryReader).records(tx, ids)
  const now = new Map(records.map(record => [record.id, record.revision]))
  return new Set(made.filter(({ memoryId, revision }) => now.get(memoryId) !== revision).map(({ turn }) => turn))
}

function uuidText() {
  return Type.String({ minLength: 36, maxLength: 36 })
}

/**
 * Returns how long to wait where the conversation is not to blame: the database is away or busy, or a plugin that reviews memories
 * fails. Undefined for other failures, and when it has waited for a day.
 */
function outageWaitMs(error: unknown, waitingSince: Date | undefined): number | undefined {
  const isAway =
    isUnavailable(error) ||
    isContended(error) ||
    error instanceof EmbedderUnavailableError ||
    (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')
  const waitedMs = waitingSince ? Date.now() - waitingSince.getTime() : 0
  if (!isAway || waitedMs > OUTAGE_MS_MAX) return undefined
  return Math.min(Math.max(waitedMs, WAIT_MS_MIN), WAIT_MS_MAX)
}
