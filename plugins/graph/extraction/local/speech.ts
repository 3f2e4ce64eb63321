import { type Frame, mentionsIn, pattern } from './frame.ts'
import { TELLS, TOLD_BEHIND } from './rules/speech.ts'
import { subjectBefore } from './subjects.ts'
import type { Speech, Subject, Talk } from './talk.ts'

const MARK = /(?<= )["“”„«»](?= )/g
const BEFORE = new RegExp(`(?<= )${TELLS.replace('<M>', '[\\uE000-\\uF8FF]')} (?:, |: |that )?$`)
const NAMED_BEFORE = /[\uE000-\uF8FF] : $/
const AFTER = `<S> ${TELLS}|${TELLS} <O>`
/** A quotation that is never closed must not take the rest of a text with it. */
const SENTENCES_MAX = 5

/**
 * Tells who speaks at an offset of a sentence, undefined where nobody is quoted: "I" between quotation marks is the one who said
 * it. Marks around single words are no speech. Notes in `talk` what goes on in the next sentence.
 */
export function speechIn(frame: Frame, talk: Talk): (offset: number) => Speech | undefined {
  const marks = [...frame.text.matchAll(MARK)].map(({ index }) => index)
  if (marks.length === 0 && !talk.speech) return () => undefined
  const spans: { from: number; to: number; speech: Speech }[] = []
  let open = talk.speech ? { from: 0, speech: { ...talk.speech, sentences: talk.speech.sentences + 1 } } : undefined
  let isOpen = open !== undefined
  for (const mark of marks) {
    if (isOpen && open) spans.push({ ...open, to: mark })
    const close = marks.find(other => other > mark)
    open = isOpen ? undefined : opened(frame, talk, mark, close)
    isOpen = !isOpen
  }
  if (isOpen && open) spans.push({ ...open, to: frame.text.length })
  talk.speech = isOpen && open && open.speech.sentences < SENTENCES_MAX ? open.speech : undefined
  return offset => spans.find(({ from, to }) => offset >= from && offset < to)?.speech
}

function opened(frame: Frame, talk: Talk, mark: number, close: number | undefined) {
  const before = frame.text.slice(0, mark)
  const told = BEFORE.exec(before)
  const at = (speaker: Subject | undefined) => ({ from: mark, speech: { speaker, sentences: 0 } })
  if (told) return at(subjectBefore(frame, frame.pieceAt(told.index), talk)?.subjects[0])
  const named = NAMED_BEFORE.exec(before)
  if (named) return at(mentionsIn(frame, named[0])[0])
  if (close === undefined) return undefined
  const after = frame.text.slice(close + 1, close + 60)
  const [match] = after.matchAll(pattern(AFTER))
  if (match && match.index < 4) return at(mentionsIn(frame, match[0])[0])
  return TOLD_BEHIND.test(after) ? at(talk.people.at(-1)) : undefined
}

/** The one that "I" means: the user, or who is quoted. */
export function asSpoken(subjects: readonly Subject[], speech: Speech | undefined): readonly Subject[] {
  if (!speech) return subjects
  return subjects.flatMap(subject => (subject === 'user' ? (speech.speaker ?? []) : subject))
}
