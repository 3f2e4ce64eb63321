import { isQuestion, sentencesIn, tellsQuantity, UNSPACED_LETTERS } from 'mneme/plugin'
import { tellsTime } from './time-words.ts'

/** Features of a text beside its words: who speaks, whether it asks or tells, and which kind of question it could answer. */
export interface TextTraits {
  /** The speaker in lower case, if the text begins with a name and a colon ("Ada: …"). */
  readonly speaker: string | null
  /** The share of its sentences that are questions, from 0 to 1. */
  readonly asking: number
  /** True if its last sentence is a question, so that the next text may answer it. */
  readonly endsAsking: boolean
  readonly tellsTime: boolean
  readonly tellsQuantity: boolean
  /** True if a word inside a sentence is capitalised, in scripts with capitals. */
  readonly tellsName: boolean
}

/** Only this many characters are read, because a longer text covers a bit of everything. */
const READ_MAX = 4000
/** Scripts without spaces write none after the colon either. */
const SPEAKER = new RegExp(
  `^\\s*([\\p{Lu}\\p{Lo}][\\p{L}\\p{M}\\p{Nd} .'’・-]{0,30})(?:：\\s?|:(?:\\s|(?=[${UNSPACED_LETTERS}「『])))`,
  'u',
)
/** Words in capitals ("TODO:", "FAQ:") are labels, not people. */
const MARK = /^\p{Lu}{2,}$/u
const ASIDE = /\[[^\]]{0,300}\]/g
const NAME_INSIDE = /[\p{Ll},;] \p{Lu}\p{Ll}/u

export function readTraits(text: string): TextTraits {
  const read = text.slice(0, READ_MAX)
  const label = SPEAKER.exec(read)
  const speaker = label?.[1] && !MARK.test(label[1]) ? label[1].trim().toLowerCase() : null
  const body = read.slice(speaker === null ? 0 : label?.[0].length).replace(ASIDE, ' ')
  const asks = sentencesIn(body).map(sentence => isQuestion(sentence.text))
  const asking = asks.filter(Boolean).length
  return {
    speaker,
    asking: asks.length === 0 ? 0 : asking / asks.length,
    endsAsking: asks.at(-1) ?? false,
    tellsTime: tellsTime(body.toLowerCase()),
    tellsQuantity: tellsQuantity(body),
    tellsName: NAME_INSIDE.test(body),
  }
}
