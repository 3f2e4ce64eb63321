import type { RelationType } from '../../contract.ts'
import type { Subject } from './talk.ts'

/** Nouns for a relative, friend or boss, seen from the person who has one. */
export interface Bond {
  readonly type: RelationType
  /** True where the edge goes from the named one to the owner: my mother is parent of me. */
  readonly inverse: boolean
}

export interface BondFact {
  readonly type: RelationType
  readonly sources: readonly Subject[]
  readonly targets: readonly Subject[]
  readonly closes: boolean
  /** It ends what is known to hold, and tells nothing where nothing is. */
  readonly onlyEnds?: boolean
  /** Offsets in the frame's text. */
  readonly from: number
  readonly to: number
}

export const bonds = new Map<string, Bond>()

function define(type: RelationType, inverse: boolean, words: string): void {
  for (const word of words.trim().split(/\s+/)) bonds.set(word.replaceAll('_', ' '), { type, inverse })
}

define(
  'MARRIED_TO',
  false,
  'wife husband spouse hubby better_half ehefrau ehemann frau mann esposa esposo marido mujer femme mari épouse époux ex-wife ex-husband ex_wife ex_husband',
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
  niece brother_in_law sister_in_law mother_in_law father_in_law son_in_law daughter_in_law mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law godmother godfather half-brother half-sister stepbrother stepsister in-laws godparents grandparents great-aunt great-uncle stepson
  bruder schwester geschwister cousine tante onkel oma opa großmutter großvater neffe nichte hermano hermana hermanos primo prima tía tío abuela abuelo sobrino
  sobrina suegra suegro frère soeur sœur cousin cousine oncle grand-mère grand-père neveu nièce beau-frère belle-mère twin relative`,
)
define(
  'KNOWS',
  false,
  `girlfriend boyfriend partner fiancé fiancée fiance fiancee ex-girlfriend ex-boyfriend ex lawyer accountant nanny babysitter tutor hairdresser vet
  copine copain compagne compagnon novia novio pareja friend friends neighbour neighbor neighbours neighbors roommate roommates flatmate housemate buddy mate pal classmate doctor dentist therapist
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
define('REPORTS_TO', true, 'direct_report assistant intern direct_reports')

/** The words as alternatives of a pattern, the longest first. */
export const KIN = [...bonds.keys()].sort((a, b) => b.length - a.length).join('|')
/** The last words of all bonds: a sentence without any of them names no bond. */
export const LAST_WORDS = new Set([...bonds.keys()].map(words => words.split(' ').at(-1) ?? ''))
