import type { EntityType, RelationType } from '../facts/kinds.ts'
import { lexicons, wordingPattern } from '../index.ts'

/** A way to ask for relationships: `out` wants the other ends of those that begin at the one who is named. */
export type Side = 'out' | 'in'

/** An edge type with the side it is read from, for one whose relative, boss or the like is asked for. */
export interface Step {
  readonly type: RelationType
  readonly side: Side
}

/** A noun for what one is to another: "Anna's boss", "the mother of Anna". */
export interface Role {
  readonly steps: readonly Step[]
  readonly words: RegExp
  /** A pattern that one of the texts must match: a relative need not be a sister. */
  readonly said?: RegExp
}

/** A verb, or what stands in its place. */
export interface Verb {
  readonly types: readonly RelationType[]
  readonly words: RegExp
  /** The expected type where the question does not name one, as in "which company". */
  readonly answers?: EntityType
  /** A pattern that preferred texts match, where any does: an interest need not be learning. */
  readonly said?: RegExp
}

/** Matches one of the wordings of some lexicons as whole words. */
export function word(...wordings: readonly lexicons.Wordings[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${wordingPattern(...wordings).source})(?![\\p{L}\\p{N}])`, 'iu')
}

const both = (type: RelationType): Step[] => [
  { type, side: 'out' },
  { type, side: 'in' },
]

const BOSS: Step[] = [
  { type: 'REPORTS_TO', side: 'out' },
  { type: 'MANAGES', side: 'in' },
]
const STAFF: Step[] = [
  { type: 'REPORTS_TO', side: 'in' },
  { type: 'MANAGES', side: 'out' },
]
const CHILD: Step[] = [{ type: 'PARENT_OF', side: 'out' }]
const PARENT: Step[] = [{ type: 'PARENT_OF', side: 'in' }]

const NOUN = lexicons.RELATIONSHIP_NOUNS
const HAS = lexicons.BELONGINGS
const VERB = lexicons.RELATIONSHIP_VERBS

/** Each a relative of its own: a brother-in-law is no brother. */
const RELATIVES: readonly lexicons.Wordings[] = [
  NOUN.brother,
  NOUN.sister,
  NOUN.brotherInLaw,
  NOUN.sisterInLaw,
  NOUN.motherInLaw,
  NOUN.fatherInLaw,
  NOUN.sonInLaw,
  NOUN.daughterInLaw,
  NOUN.parentsInLaw,
  NOUN.cousin,
  NOUN.aunt,
  NOUN.uncle,
  NOUN.grandmother,
  NOUN.grandfather,
]

/** Belongings, with further words by which a text names them. */
const OWNED: readonly (readonly [lexicons.Wordings, ...lexicons.Wordings[]])[] = [
  [HAS.car, HAS.driving],
  [HAS.phone, HAS.phoneBrand],
  [HAS.bike],
  [HAS.computer],
  [HAS.camera],
  [HAS.dog, HAS.puppy],
  [HAS.cat, HAS.kitten],
  [HAS.pet, HAS.dog, HAS.puppy, HAS.cat, HAS.kitten],
]

export const ROLES: readonly Role[] = [
  { steps: BOSS, words: word(NOUN.boss) },
  { steps: STAFF, words: word(NOUN.report) },
  { steps: both('MARRIED_TO'), words: word(NOUN.spouse) },
  { steps: PARENT, words: word(NOUN.mother), said: word(NOUN.mother, NOUN.offspring) },
  { steps: PARENT, words: word(NOUN.father), said: word(NOUN.father, NOUN.offspring) },
  { steps: PARENT, words: word(NOUN.parent) },
  { steps: CHILD, words: word(NOUN.son), said: word(NOUN.son, NOUN.boy) },
  { steps: CHILD, words: word(NOUN.daughter), said: word(NOUN.daughter, NOUN.girl) },
  { steps: CHILD, words: word(NOUN.child) },
  ...RELATIVES.map(noun => ({ steps: both('RELATED_TO'), words: word(noun), said: word(noun) })),
  { steps: both('RELATED_TO'), words: word(NOUN.relative) },
  { steps: both('KNOWS'), words: word(NOUN.friend) },
  { steps: both('COLLABORATES_WITH'), words: word(NOUN.colleague) },
  { steps: [{ type: 'CREATED', side: 'in' }], words: word(NOUN.founder) },
  { steps: [{ type: 'OWNS', side: 'in' }], words: word(NOUN.owner) },
  ...OWNED.map(([noun, ...more]) => ({
    steps: [{ type: 'OWNS' as const, side: 'out' as const }],
    words: word(noun),
    said: word(noun, ...more),
  })),
  ...lexicons.CALLINGS.map(noun => ({ steps: both('KNOWS'), words: word(noun), said: word(noun) })),
  { steps: [{ type: 'MEMBER_OF', side: 'in' }], words: word(NOUN.member) },
  { steps: [{ type: 'WORKS_AT', side: 'in' }], words: word(NOUN.employee) },
]

export const VERBS: readonly Verb[] = [
  { types: ['COLLABORATES_WITH'], words: word(VERB.collaborating) },
  { types: ['REPORTS_TO', 'MANAGES'], words: word(VERB.reporting) },
  { types: ['MEMBER_OF'], words: word(VERB.membership) },
  { types: ['PART_OF'], words: word(VERB.part) },
  { types: ['LIVES_IN'], words: word(VERB.living), answers: 'PLACE' },
  { types: ['BORN_IN'], words: word(VERB.birth), answers: 'PLACE' },
  { types: ['STUDIED_AT'], words: word(VERB.studying), answers: 'ORGANIZATION' },
  { types: ['WORKS_AT'], words: word(VERB.working), answers: 'ORGANIZATION' },
  { types: ['MARRIED_TO'], words: word(VERB.marrying) },
  { types: ['DISLIKES'], words: word(VERB.disliking) },
  { types: ['INTERESTED_IN'], words: word(VERB.learning), said: word(VERB.learningTold) },
  { types: ['INTERESTED_IN', 'LIKES'], words: word(VERB.interest) },
  { types: ['USES_TECHNOLOGY'], words: word(VERB.using), answers: 'THING' },
  { types: ['LIKES', 'INTERESTED_IN'], words: word(VERB.liking) },
  { types: ['MANAGES', 'REPORTS_TO'], words: word(VERB.managing) },
  { types: ['PARENT_OF'], words: word(VERB.parenthood) },
  { types: ['OWNS'], words: word(VERB.owning) },
  { types: ['CREATED'], words: word(VERB.creating) },
  { types: ['VISITED'], words: word(VERB.visiting), answers: 'PLACE' },
  { types: ['KNOWS'], words: word(VERB.knowing) },
  { types: ['LOCATED_IN'], words: word(VERB.location), answers: 'PLACE' },
  { types: ['RELATED_TO'], words: word(VERB.kinship) },
]

/** Types without an end: past and present questions have the same answer. */
export const TIMELESS: ReadonlySet<RelationType> = new Set([
  'BORN_IN',
  'STUDIED_AT',
  'VISITED',
  'CREATED',
  'PARENT_OF',
  'RELATED_TO',
])
