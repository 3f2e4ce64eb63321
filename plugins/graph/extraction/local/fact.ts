import type { RelationType } from '../../contract.ts'
import type { Subject } from './talk.ts'
import type { Validity } from './times.ts'

export interface Fact {
  readonly type: RelationType
  readonly source: Subject
  readonly target: Subject
  readonly closes: boolean
  readonly onlyEnds?: boolean
  readonly confidence: number
  readonly validity: Validity
  /** Characters of the memory's text. */
  readonly start: number
  readonly end: number
}

/** An ending that does not name its object: "I got laid off". */
export interface UnnamedEnding extends Omit<Fact, 'target' | 'closes' | 'onlyEnds'> {
  readonly target?: undefined
}
