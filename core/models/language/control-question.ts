import { Type } from '@sinclair/typebox'
import type { LanguageEndpoint, Outcome, Question } from './endpoint.ts'

/** Nothing is wrong with it, so an endpoint that refuses it refuses everything. */
const CONTROL: Question = {
  system: 'Tell whether the message can be read.',
  input: 'Good morning.',
  schema: Type.Object({ readable: Type.Boolean() }),
  maxTokens: 200,
}

export interface Control {
  readonly verdict:
    | { readonly kind: 'serves' }
    /** It serves when it is asked in another way than before. */
    | { readonly kind: 'another way' }
    | { readonly kind: 'fails'; readonly outcome: Outcome }
  /** The outcomes of all requests, for the count of tokens. */
  readonly outcomes: readonly Outcome[]
}

/** Finds out whether an endpoint that refuses an input refuses everything, and whether another way of asking helps. */
export async function askControl(endpoint: LanguageEndpoint, signal: AbortSignal): Promise<Control> {
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
