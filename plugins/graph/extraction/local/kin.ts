import type { RelationType } from '../../contract.ts'
import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Language } from './language.ts'
import { ownersOf, type Subject, subjectBefore, type Talk } from './subjects.ts'

/** What one is to another, seen from the one whose relative, friend or boss it is. */
interface Bond {
  readonly type: RelationType
  /** True where the edge goes from the named one to the owner: my mother is parent of me. */
  readonly inverse: boolean
}

export interface BondFact {
  readonly type: RelationType
  readonly sources: readonly Subject[]
  readonly targets: readonly Subject[]
  readonly closes: boolean
  /** Offsets in the frame's text. */
  readonly from: number
  readonly to: number
}

const bonds = new Map<string, Bond>()

function define(type: RelationType, inverse: boolean, words: string): void {
  for (const word of words.trim().split(/\s+/)) bonds.set(word.replaceAll('_', ' '), { type, inverse })
}

define(
  'MARRIED_TO',
  false,
  'wife husband spouse ehefrau ehemann frau mann esposa esposo marido mujer femme mari épouse époux ex-wife ex-husband ex_wife ex_husband',
)
define(
  'PARENT_OF',
  false,
  `son daughter sons daughters child children kid kids baby toddler stepson stepdaughter boy girl twins sohn tochter kinder kind söhne
  töchter hijo hija hijos hijas fils fille enfants filles bebé`,
)
define(
  'PARENT_OF',
  true,
  'mother father mum mom dad mama papa parents stepmother stepfather mutter vater eltern madre padre mamá papá padres mère père maman parents',
)
define(
  'RELATED_TO',
  false,
  `brother sister brothers sisters cousin cousins aunt uncle grandmother grandfather grandma grandpa grandson granddaughter nephew
  niece brother_in_law sister_in_law mother_in_law father_in_law son_in_law daughter_in_law mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law godmother godfather half-brother half-sister stepbrother stepsister
  bruder schwester geschwister cousine tante onkel oma opa großmutter großvater neffe nichte hermano hermana hermanos primo prima tía tío abuela abuelo sobrino
  sobrina suegra suegro frère soeur sœur cousin cousine oncle grand-mère grand-père neveu nièce beau-frère belle-mère twin relative`,
)
define(
  'KNOWS',
  false,
  `friend friends neighbour neighbor neighbours neighbors roommate roommates flatmate housemate buddy mate pal classmate doctor dentist therapist
  cardiologist physiotherapist teacher coach trainer landlord landlady mentor gp freund freundin freunde nachbar nachbarin mitbewohner mitbewohnerin amigo amiga
  vecino vecina amis ami amie voisin voisine colocataire médecin arzt ärztin`,
)
define(
  'COLLABORATES_WITH',
  false,
  `colleague colleagues coworker coworkers co-worker co-workers teammate teammates co-founder cofounder collaborator kollege kollegin kollegen
  colega compañero compañera collègue collègues`,
)
define(
  'REPORTS_TO',
  false,
  'boss manager supervisor team_lead line_manager chef chefin vorgesetzte vorgesetzter jefe jefa cheffe responsable',
)
define('REPORTS_TO', true, 'direct_report assistant intern direct_reports reports')

const KIN = [...bonds.keys()].sort((a, b) => b.length - a.length).join('|')
/** Of the words for bonds, the last of each: a sentence without any of them names no bond. */
const LAST_WORDS = new Set([...bonds.keys()].map(words => words.split(' ').at(-1) ?? ''))
const OWNER =
  "(?<owner>my|our|his|her|their|mein|meine|meinen|meiner|unser|unsere|seine|ihre|sein|ihr|mi|mis|su|sus|mon|ma|mes|son|sa|notre|(?:the )?user 's|<M> 's)"
const IS =
  "(?:is|are|was|were|'s|ist|heißt|heisst|heißen|es|se llama|se llaman|s' appelle|s' appellent|est|sont|called|named)"

/** Each with `<S>` for the named ones. */
const OWNED: readonly string[] = [
  `${OWNER} <2> (?<kin>${KIN}) (?:, |\\( )?(?:called |named |namens )?<S>`,
  `${OWNER} <2> (?<kin>${KIN})(?: 's| ')?(?: names?)? ${IS} (?:called |named |now )?<S>`,
  `<S> (?:is|are|was|ist|es|est|sont|son) (?<ended>no longer |not )?${OWNER} <2> (?<kin>${KIN})`,
  `<S> (?:,|\\() ${OWNER} <2> (?<kin>${KIN})`,
]
/** Notes: "wife: Ingrid", "kids: Nils (7), Freja (4)". */
const NOTED_FIRST = `(?<kin>${KIN}) (?<s><M>)`
const NOTED = `(?:my )?(?<kin>${KIN})(?: 's)?(?: names?)? : (?<s><M>(?: \\( \\S+ \\))?(?:(?: ,| and| &) <M>(?: \\( \\S+ \\))?)*)`
const OF = `<S> (?:is|are|was|ist|es|est) (?<ended>no longer |not )?(?:the|a|an|der|die|das|el|la|le|une?)<2> (?<kin>${KIN}) (?:of|von|de|d') <O>`
const OF_IS = `(?:the|el|la|le|der|die)<2> (?<kin>${KIN}) (?:of|de|von|d') <O> (?:is|es|ist|est) <S>`
const HAVE = `(?:have|has|had|'ve|got|have got|has got|habe|hat|haben|tengo|tiene|ai|a|avons|raised) (?:a|an|one|two|three|four|five|six|her|his|eine?n?|zwei|drei|una?|dos|tres|une?|deux|trois|twin)<1> (?<kin>${KIN}) ?(?:,|:|called|named|namens|–)? <S>`

/** Bonds of family, friendship and work that a sentence states. */
export function bondsIn(frame: Frame, talk: Talk, language: Language): BondFact[] {
  if (!frame.pieces.some(({ mention }) => mention)) return []
  const others = [...marriagesIn(frame, talk, language), ...together(frame)]
  if (!frame.pieces.some(({ unit }) => LAST_WORDS.has(unit.lower))) return others
  const facts = [...OWNED.flatMap(source => ownedIn(frame, talk, source)), ...notedIn(frame)]
  for (const match of [OF, OF_IS].flatMap(source => [...frame.text.matchAll(pattern(source))])) {
    const bond = bonds.get(match.groups?.kin ?? '')
    const names = mentionsIn(frame, match.groups?.s ?? '')
    const owners = mentionsIn(frame, match.groups?.o ?? '')
    if (bond && match.groups?.ended !== 'not ')
      facts.push(bondFact(bond, owners, names, match, match.groups?.ended !== undefined))
  }
  for (const match of frame.text.matchAll(pattern(HAVE))) {
    const bond = bonds.get(match.groups?.kin ?? '')
    const isUser = /^(?:tengo|habe|ai) /.test(match[0])
    const owners = isUser ? { subjects: ['user' as const] } : subjectBefore(frame, frame.pieceAt(match.index), talk)
    if (bond && owners)
      facts.push(bondFact(bond, owners.subjects, mentionsIn(frame, match.groups?.s ?? ''), match, false))
  }
  return [...facts, ...others]
}

function ownedIn(frame: Frame, talk: Talk, source: string): BondFact[] {
  return [...frame.text.matchAll(pattern(source))].flatMap(match => {
    const { owner = '', kin = '', s = '', ended } = match.groups ?? {}
    const bond = bonds.get(kin)
    const names = mentionsIn(frame, s).filter(({ type }) => type === undefined || type === 'PERSON' || type === 'PLACE')
    const at = match.index + match[0].indexOf(owner)
    const named = mentionsIn(frame, owner)
    const owners =
      named.length > 0
        ? named
        : owner.includes('user')
          ? (['user'] as const)
          : ownersOf(owner, frame, frame.pieceAt(at), talk)
    // "My sister's husband Dave" is not my husband.
    const between = match[0].slice(match[0].indexOf(owner) + owner.length, match[0].lastIndexOf(kin))
    const isAnothers = owner !== '' && between.includes(" 's ")
    if (!bond || ended === 'not ' || owners.length === 0 || isAnothers) return []
    return [bondFact(bond, owners, names, match, ended !== undefined || kin.startsWith('ex'))]
  })
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

/** [pattern, whether it ends the marriage]; the subject stands before unless it is caught. */
const MARRIAGES: readonly (readonly [string, boolean])[] = [
  [`(?:married|marries|marry)(?: to)? <O>`, false],
  [`(?:mit|avec|con) <O> (?:verheiratet|mariée?|casad[oa])`, false],
  [`<S> (?:got|are|were|have been|had) <2> married`, false],
  [`<S> (?:(?:got|are|were|have) <1> )?(?:divorced|separated|split up|broke up)`, true],
  [`(?:divorced|divorces|separated from|divorced from|got divorced from)(?: from)? <O>`, true],
]
/** The same of the one who writes: "Nadia and I got married". */
const OWN_MARRIAGES: readonly (readonly [string, boolean])[] = [
  [`<O> and (?:i|me) (?:got|are|were|have been|had) <2> married`, false],
  [`(?:i|me) and <O> (?:got|are|were|have been|had) <2> married`, false],
  [`<O> and (?:i|me) (?:(?:got|are|were|have) <1> )?(?:divorced|separated|split up|broke up)`, true],
  [`(?:i|me) and <O> (?:(?:got|are|were|have) <1> )?(?:divorced|separated|split up|broke up)`, true],
]

function marriagesIn(frame: Frame, talk: Talk, language: Language): BondFact[] {
  if (language === 'es' || language === 'fr') return []
  const own = OWN_MARRIAGES.flatMap(([source, closes]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const targets = mentionsIn(frame, match.groups?.o ?? '')
      const [from, to] = [match.index, match.index + match[0].length]
      return targets.length === 1
        ? [{ type: 'MARRIED_TO' as const, sources: ['user' as const], targets, closes, from, to }]
        : []
    }),
  )
  if (own.length > 0) return own
  return MARRIAGES.flatMap(([source, ends]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const pair = mentionsIn(frame, match.groups?.s ?? '')
      const found = pair.length === 2 ? undefined : subjectBefore(frame, frame.pieceAt(match.index), talk)
      const [sources, targets] =
        pair.length === 2
          ? [pair.slice(0, 1), pair.slice(1)]
          : [found?.subjects ?? [], mentionsIn(frame, match.groups?.o ?? '')]
      const denied = /\b(?:not|never|nicht|getting|isn't|wasn't|want|wants|might|would|going|hope|hopes|will)\b/.test(
        found?.between ?? '',
      )
      const closes = ends || /no longer/.test(found?.between ?? '')
      if (sources.length !== 1 || targets.length !== 1 || (denied && !closes)) return []
      return [
        { type: 'MARRIED_TO' as const, sources, targets, closes, from: match.index, to: match.index + match[0].length },
      ]
    }),
  )
}

const TOGETHER: readonly (readonly [string, RelationType])[] = [
  [
    `<S> (?:are |were |both )?(?:working|work|worked|collaborate|collaborated|collaborating|pair|paired|pairing) (?:together|closely)`,
    'COLLABORATES_WITH',
  ],
  [
    `<S> (?:are|were|have been) <3> (?:friends|neighbours|neighbors|roommates|flatmates|classmates|acquaintances)`,
    'KNOWS',
  ],
  [`<S> (?:are|were) <3> (?:colleagues|coworkers|teammates|business partners|co-founders)`, 'COLLABORATES_WITH'],
  [`<S> (?:are|were) <3> (?:brothers|sisters|siblings|cousins|twins|related)`, 'RELATED_TO'],
  [`<S> (?:know|met) each other`, 'KNOWS'],
]

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
