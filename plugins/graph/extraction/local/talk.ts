import type { Mention } from './mention.ts'

/** The memory's user, or a name. */
export type Subject = 'user' | Mention

/** The people that earlier sentences were about. */
export interface Talk {
  /** The last people who did something. */
  people: readonly Mention[]
  /** A quotation that the last sentence left open. */
  speech?: Speech | undefined
}

/** An open quotation; without a speaker it is somebody's whom the text does not name. */
export interface Speech {
  readonly speaker: Subject | undefined
  /** Sentences that the quotation has gone on for. */
  readonly sentences: number
}
