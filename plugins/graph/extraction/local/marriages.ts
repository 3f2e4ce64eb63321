import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { BondFact } from './kin-words.ts'
import type { Language } from './language.ts'
import type { Mention } from './mention.ts'
import { MARRIAGES, NOT_DONE, OWN_MARRIAGES, PARTINGS } from './rules/marriages.ts'
import { subjectBefore } from './subjects.ts'
import type { Talk } from './talk.ts'

/** Marriages and separations that a sentence states. */
export function marriagesIn(frame: Frame, talk: Talk, language: Language): BondFact[] {
  if (language === 'es' || language === 'fr') return []
  const own = OWN_MARRIAGES.flatMap(([source, closes]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const targets = mentionsIn(frame, match.groups?.o ?? '').filter(mention => mayMarry(mention, match[0]))
      return targets.length === 1 ? [marriage(['user'], targets, match, closes)] : []
    }),
  )
  if (own.length > 0) return own
  return [
    ...MARRIAGES.flatMap(([source, ends]) =>
      [...frame.text.matchAll(pattern(source))].flatMap(match => marriageOf(frame, talk, match, ends)),
    ),
    ...partingsIn(frame, talk),
  ]
}

/** "Acme and I parted ways": from whom no list knows one parts at work. */
function mayMarry({ type, confidence }: Mention, words: string): boolean {
  if (type === undefined) return !/ parted (?:ways|company)/.test(words)
  return type === 'PERSON' || type === 'PLACE' || confidence < 0.7
}

function marriageOf(frame: Frame, talk: Talk, match: RegExpExecArray, ends: boolean): BondFact[] {
  const own = mentionsIn(frame, match.groups?.s ?? '')
  const others = mentionsIn(frame, match.groups?.o ?? '')
  const isPair = own.length === 2 || (own.length === 1 && others.length === 1)
  const found = isPair ? undefined : subjectBefore(frame, frame.pieceAt(match.index), talk)
  const sources = isPair ? own.slice(0, 1) : (found?.subjects ?? [])
  const targets = own.length === 2 ? own.slice(1) : others
  const closes = ends || /no longer/.test(found?.between ?? '')
  const isDenied = NOT_DONE.test(found?.between ?? '')
  if (sources.length !== 1 || targets.length !== 1 || (isDenied && !closes)) return []
  return [marriage(sources, targets, match, closes)]
}

function partingsIn(frame: Frame, talk: Talk): BondFact[] {
  return PARTINGS.flatMap(([source, isUsers]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const targets = mentionsIn(frame, match.groups?.o ?? '').filter(({ type }) => (type ?? 'PERSON') === 'PERSON')
      const own = mentionsIn(frame, match.groups?.s ?? '')
      const found = isUsers || own.length > 0 ? undefined : subjectBefore(frame, frame.pieceAt(match.index), talk)
      const sources = isUsers ? (['user'] as const) : own.length > 0 ? own : (found?.subjects ?? [])
      if (sources.length !== 1 || targets.length !== 1 || NOT_DONE.test(found?.between ?? '')) return []
      return [{ ...marriage(sources, targets, match, true), onlyEnds: true }]
    }),
  )
}

function marriage(
  sources: BondFact['sources'],
  targets: BondFact['targets'],
  match: RegExpExecArray,
  closes: boolean,
): BondFact {
  return { type: 'MARRIED_TO', sources, targets, closes, from: match.index, to: match.index + match[0].length }
}
