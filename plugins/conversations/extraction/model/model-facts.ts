import { inHalves } from '../../../../core/models/language/halving.ts'
import { type LanguageModel, LanguageModelUnavailableError } from '../../../../core/models/language/language-model.ts'
import type { Fact, Turn, Window } from '../../conversation.ts'
import { answerSchema, TASK } from './answer.ts'
import { isBorneOut } from './check.ts'

export interface ModelReading {
  readonly facts: readonly Fact[]
  /** Turns of the user that the model did not read: it is away, or had no usable answer. */
  readonly unread: readonly Turn[]
}

/** A longer turn is a pasted text: its answer would not fit, and hardly any of it is a statement of the user's. */
const TURN_MAX = 12_000
const FACTS_MAX = 100
const OUTPUT_TOKENS = 6000
/** Of an assistant's turn, the end is what the user answers. */
const ASSISTANT_MAX = 1500

/** Asks a language model for the facts of a window. */
export async function modelFacts(
  model: Pick<LanguageModel, 'generate'>,
  workspaceId: string,
  { turns, before }: Window,
  signal: AbortSignal,
): Promise<ModelReading> {
  const [short, long] = [turns.filter(isShort), turns.filter(turn => !isShort(turn))]
  const said = [...before, ...turns].map(({ text }) => text).join('\n')
  try {
    const { results, failed } = await inHalves(short, async part => {
      const earlier = [...before, ...short.slice(0, short.indexOf(part[0] ?? turns[0] ?? NOBODY))].slice(-BEFORE_MAX)
      if (!part.some(isUsers)) return []
      const { value } = await model.generate({
        operation: 'enrichment',
        workspaceId,
        system: TASK,
        input: JSON.stringify({ before: earlier.map(shown), turns: part.map(shown) }),
        schema: answerSchema,
        maxTokens: OUTPUT_TOKENS,
        signal,
      })
      return readFacts(value.facts, part, said)
    })
    const unread = [...failed.map(({ item }) => item), ...long].filter(isUsers)
    return { facts: results.flat(), unread }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof LanguageModelUnavailableError)) throw error
    return { facts: [], unread: turns.filter(isUsers) }
  }
}

const BEFORE_MAX = 6
const NOBODY: Turn = { turn: -1, role: 'assistant', text: '', saidAt: new Date(0) }

const isShort = ({ role, text }: Turn) => role === 'assistant' || text.length <= TURN_MAX
const isUsers = ({ role }: Turn) => role === 'user'

function shown({ turn, role, text, saidAt }: Turn) {
  const words = role === 'assistant' ? text.slice(-ASSISTANT_MAX).toWellFormed() : text
  return { turn, role, date: saidAt.toISOString().slice(0, 10), text: words }
}

/** What of an answer the conversation bears out. */
function readFacts(
  answer: readonly { readonly turn: number; readonly quote: string; readonly fact: string }[],
  turns: readonly Turn[],
  said: string,
): Fact[] {
  return answer.slice(0, FACTS_MAX).flatMap(({ turn, quote, fact }) => {
    const source = turns.find(one => one.turn === turn && one.role === 'user')
    return source && isBorneOut(fact, quote, source.text, said) ? [{ turn, text: fact.trim() }] : []
  })
}
