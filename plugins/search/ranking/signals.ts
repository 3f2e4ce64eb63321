import { answer } from './answer.ts'
import { asking } from './asking.ts'
import { coverage } from './coverage.ts'
import { entities } from './entities.ts'
import { facts } from './facts.ts'
import { feedback } from './feedback.ts'
import { meaning } from './meaning.ts'
import { neighbours } from './neighbours.ts'
import { priority } from './priority.ts'
import { proximity } from './proximity.ts'
import { recency } from './recency.ts'
import { session } from './session.ts'
import type { Balance } from './signal.ts'
import { speaker } from './speaker.ts'
import { time } from './time.ts'
import { tokens } from './tokens.ts'
import { validity } from './validity.ts'
import { words } from './words.ts'

/** These are weighted and added. */
export const EVIDENCE = [words, coverage, proximity, meaning, tokens, entities, facts] as const

/** These multiply the evidence; 1 is neutral. */
export const FACTORS = [speaker, asking, answer, time, validity] as const

/** All signals, in the order in which documents and measurements name them. */
export const SIGNALS = [...EVIDENCE, neighbours, session, ...FACTORS, feedback, recency, priority].map(
  ({ id, weight }) => ({ id, weight }),
)

export const SIGNAL_IDS: readonly string[] = SIGNALS.map(({ id }) => id)

export const DEFAULT_BALANCE: Balance = { recency: recency.weight, priority: priority.weight }
