import { deniesVerb, tellsUnreal } from '../index.ts'
import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Fact, Language, Subject, Talk, UnnamedEnding } from './parts.ts'
import { DENIED, ENDINGS, type Ending, LONG_AGO } from './rules/endings.ts'
import { subjectBefore } from './subjects.ts'
import { validityIn } from './times.ts'
import { isToCome, RECENT_MS, readTime } from './told-time.ts'

/** Finds endings that a sentence does not name, of types for which it states nothing else. */
export function endingsIn(
  frame: Frame,
  language: Language,
  talk: Talk,
  now: Date,
  facts: readonly Fact[],
): UnnamedEnding[] {
  if (LONG_AGO.test(frame.text)) return []
  return ENDINGS[language].flatMap(ending => {
    if (facts.some(({ type }) => type === ending.type)) return []
    return [...frame.text.matchAll(pattern(ending.says))].flatMap(match => {
      const clause =
        frame.text
          .slice(0, match.index)
          .split(/ [,;.:] /)
          .at(-1) ?? ''
      if (mayNotHold(clause) || DENIED.test(match[0])) return []
      const sources = whose(frame, ending, match, talk)
      const validity = validityIn(frame.text.slice(match.index - 1), { changes: true, closes: true, now, language })
      const told = readTime(validity.to)
      const isOfNow = !told || (!isToCome(told, now) && now.getTime() - told.earliest.getTime() <= RECENT_MS)
      const first = frame.pieces[frame.pieceAt(match.index)]
      const last = frame.pieces[frame.pieceAt(match.index + match[0].length - 1)]
      if (sources.length !== 1 || !isOfNow || !first || !last) return []
      const span = { start: first.unit.start, end: last.unit.end }
      return sources.map(source => ({ type: ending.type, source, confidence: 0.8, validity, ...span }))
    })
  })
}

/** Tells whether words before an ending deny it, wish it or suppose it. */
function mayNotHold(words: string): boolean {
  return deniesVerb(words) || tellsUnreal(words)
}

function whose(frame: Frame, ending: Ending, match: RegExpExecArray, talk: Talk): readonly Subject[] {
  if (ending.user) return ['user']
  if (match.groups?.s) return mentionsIn(frame, match.groups.s).filter(mayBeSomebody)
  const found = subjectBefore(frame, frame.pieceAt(match.index), talk)
  if (!found || found.isGroup || mayNotHold(found.between)) return []
  return found.subjects.filter(mayBeSomebody)
}

/** First names are small towns too. */
function mayBeSomebody(subject: Subject): boolean {
  if (subject === 'user') return true
  const { type = 'PERSON', name, confidence } = subject
  return type === 'PERSON' || (type === 'PLACE' && !name.includes(' ') && confidence < 0.7)
}
