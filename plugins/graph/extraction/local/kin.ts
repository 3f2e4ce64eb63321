import { type Frame, mentionsIn, pattern } from './frame.ts'
import { type Bond, type BondFact, bonds, LAST_WORDS } from './kin-words.ts'
import type { Language } from './language.ts'
import { marriagesIn } from './marriages.ts'
import type { Mention } from './mention.ts'
import { personMeant } from './pronouns.ts'
import { AND_OWNED, HAVE, INTRODUCED, MEANT, NOTED, NOTED_FIRST, OF, OF_IS, OF_USER, OWNED } from './rules/kin.ts'
import { TOGETHER } from './rules/pairs.ts'
import { ownersOf, sentenceSubject, subjectBefore } from './subjects.ts'
import type { Subject, Talk } from './talk.ts'

/** Bonds of family, friendship and work that a sentence states. */
export function bondsIn(frame: Frame, talk: Talk, language: Language): BondFact[] {
  if (!frame.pieces.some(({ mention }) => mention) && talk.people.length === 0) return []
  const others = [...marriagesIn(frame, talk, language), ...together(frame)]
  if (!frame.pieces.some(({ unit }) => LAST_WORDS.has(unit.lower))) return others
  return [
    ...[...OWNED, AND_OWNED].flatMap(source => ownedIn(frame, talk, source)),
    ...notedIn(frame),
    ...ofIn(frame),
    ...hadIn(frame, talk),
    ...meantIn(frame, talk),
    ...others,
  ]
}

function ofIn(frame: Frame): BondFact[] {
  const named = [OF, OF_IS].flatMap(source => [...frame.text.matchAll(pattern(source))])
  return [...named, ...frame.text.matchAll(pattern(OF_USER))].flatMap(match => {
    const { kin = '', s = '', o, ended } = match.groups ?? {}
    const bond = bonds.get(kin)
    const owners = o === undefined ? ['user' as const] : mentionsIn(frame, o)
    if (!bond || ended === 'not ') return []
    return [bondFact(bond, owners, mentionsIn(frame, s), match, ended !== undefined || kin.startsWith('ex'))]
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
