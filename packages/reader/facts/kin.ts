import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Language, Mention, Subject, Talk } from './parts.ts'
import {
  type Bond,
  type BondFact,
  bonds,
  HAVE,
  INTRODUCED,
  LAST_WORDS,
  MARRIAGES,
  MEANT,
  NOT_DONE,
  NOTED,
  NOTED_FIRST,
  OF,
  OF_IS,
  OWN_MARRIAGES,
  OWNED,
  PARTINGS,
  TOGETHER,
} from './rules/family.ts'
import { ownersOf, personMeant, sentenceSubject, subjectBefore } from './subjects.ts'

/** Bonds of family, friendship and work that a sentence states. */
export function bondsIn(frame: Frame, talk: Talk, language: Language): BondFact[] {
  if (!frame.pieces.some(({ mention }) => mention) && talk.people.length === 0) return []
  const others = [...marriagesIn(frame, talk, language), ...together(frame)]
  if (!frame.pieces.some(({ unit }) => LAST_WORDS.has(unit.lower))) return others
  return [
    ...OWNED.flatMap(source => ownedIn(frame, talk, source)),
    ...notedIn(frame),
    ...ofIn(frame),
    ...hadIn(frame, talk),
    ...meantIn(frame, talk),
    ...others,
  ]
}

function ofIn(frame: Frame): BondFact[] {
  const named = [OF, OF_IS].flatMap(source => [...frame.text.matchAll(pattern(source))])
  return named.flatMap(match => {
    const { kin = '', s = '', o = '', ended } = match.groups ?? {}
    const bond = bonds.get(kin)
    if (!bond || ended === 'not ') return []
    const isOver = ended !== undefined || kin.startsWith('ex')
    return [bondFact(bond, mentionsIn(frame, o), mentionsIn(frame, s), match, isOver)]
  })
}

/** Finds relatives that a sentence gives somebody or introduces beside its subject. */
function hadIn(frame: Frame, talk: Talk): BondFact[] {
  const had = [...frame.text.matchAll(pattern(HAVE))].map(match => {
    const isUser = /^(?:tengo|habe|ai|tenemos) /.test(match[0])
    return { match, owners: isUser ? USER : subjectBefore(frame, frame.pieceAt(match.index), talk) }
  })
  const introduced = [...frame.text.matchAll(pattern(INTRODUCED))].map(match => {
    const at = frame.pieceAt(match.index)
    return {
      match,
      owners: sentenceSubject(frame, at) ?? (match.groups?.beside ? subjectBefore(frame, 0, talk) : undefined),
    }
  })
  return [...had, ...introduced].flatMap(({ match, owners }) => {
    const bond = bonds.get(match.groups?.kin ?? match.groups?.beside ?? '')
    if (!bond || !owners) return []
    return [bondFact(bond, owners.subjects, mentionsIn(frame, match.groups?.s ?? ''), match, false)]
  })
}

const USER = { subjects: ['user' as const] }

function meantIn(frame: Frame, talk: Talk): BondFact[] {
  return [...frame.text.matchAll(pattern(MEANT))].flatMap(match => {
    const { kin = '', owner } = match.groups ?? {}
    const bond = bonds.get(kin)
    const at = frame.pieceAt(match.index)
    const named = mentionsIn(frame, owner ?? '')
    const owners = named.length > 0 ? named : owner === undefined || /^(?:my|our)$/.test(owner) ? USER.subjects : []
    if (!bond || owners.length === 0 || (owner === undefined && bond.type !== 'KNOWS')) return []
    return [bondFact(bond, owners, personMeant(frame, at, talk), match, kin.startsWith('ex'))]
  })
}

function ownedIn(frame: Frame, talk: Talk, source: string): BondFact[] {
  return [...frame.text.matchAll(pattern(source))].flatMap(match => {
    const { owner = '', kin = '', s = '', ended } = match.groups ?? {}
    const bond = bonds.get(kin)
    const names = mentionsIn(frame, s).filter(mayBeRelative)
    const at = match.index + match[0].indexOf(owner)
    const named = mentionsIn(frame, owner)
    const owners =
      named.length > 0
        ? named
        : owner.includes('user')
          ? (['user'] as const)
          : /^(?:mine|ours)$/.test(owner)
            ? (['user'] as const)
            : ownersOf(owner, frame, frame.pieceAt(at), talk)
    // "My sister's husband Dave" is not my husband.
    const between = match[0].slice(match[0].indexOf(owner) + owner.length, match[0].lastIndexOf(kin))
    const isAnothers = owner !== '' && between.includes(" 's ")
    const isBusiness = kin === 'partner' && /\b(?:business|training|sparring|running)\b/.test(between)
    if (!bond || ended === 'not ' || owners.length === 0 || isAnothers || isBusiness) return []
    return [bondFact(bond, owners, names, match, ended !== undefined || kin.startsWith('ex'))]
  })
}

/** Many first names are towns and tools too: "my sister Julia". */
function mayBeRelative({ type, name }: Mention): boolean {
  return type === undefined || type === 'PERSON' || type === 'PLACE' || (type === 'THING' && !/ /.test(name))
}

function notedIn(frame: Frame): BondFact[] {
  const first = [...frame.text.matchAll(pattern(NOTED_FIRST))].filter(({ index }) => index <= 1)
  return [...first, ...frame.text.matchAll(pattern(NOTED))].flatMap(match => {
    const { kin = '', s = '' } = match.groups ?? {}
    const bond = bonds.get(kin)
    const before = frame.text.slice(0, match.index).trimEnd()
    if (!bond || !/(?:^|[-*•.,;])$/.test(before)) return []
    return [bondFact(bond, ['user'], mentionsIn(frame, s), match, kin.startsWith('ex'))]
  })
}

function bondFact(
  { type, inverse }: Bond,
  owners: readonly Subject[],
  names: readonly Subject[],
  match: RegExpExecArray,
  closes: boolean,
): BondFact {
  const others = names.filter(name => !owners.includes(name))
  const ends = inverse ? { sources: others, targets: owners } : { sources: owners, targets: others }
  return { type, ...ends, closes, from: match.index, to: match.index + match[0].length }
}

/** Finds relationships between two people who are named together. */
function together(frame: Frame): BondFact[] {
  return TOGETHER.flatMap(([source, type]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const [first, second, ...more] = mentionsIn(frame, match.groups?.s ?? '')
      const denied = /\bnot\b/.test(match[0])
      if (!first || !second || more.length > 0 || denied) return []
      return [
        {
          type,
          sources: [first],
          targets: [second],
          closes: false,
          from: match.index,
          to: match.index + match[0].length,
        },
      ]
    }),
  )
}

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
