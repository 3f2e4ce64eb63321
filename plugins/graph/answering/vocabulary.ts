import type { EntityType, RelationType } from '../contract.ts'

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
  /** A pattern that one of the memories must match: a relative need not be a sister. */
  readonly said?: RegExp
}

/** A verb, or what stands in its place. */
export interface Verb {
  readonly types: readonly RelationType[]
  readonly words: RegExp
  /** The expected type where the question does not name one, as in "which company". */
  readonly answers?: EntityType
  /** A pattern that preferred memories match, where any does: an interest need not be learning. */
  readonly said?: RegExp
}

/** Matches the alternatives of a pattern as whole words. */
export const word = (source: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source.replace(/\s*\n\s*/g, '|')})(?![\\p{L}\\p{N}])`, 'iu')

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

const relative = (words: string): Role => ({ steps: both('RELATED_TO'), words: word(words), said: word(words) })

/** Each a relative of its own: a brother-in-law is no brother. */
const IN_LAWS: readonly string[] = [
  'brothers?[- ]in[- ]law|schwager|cuñado|beau-frère',
  'sisters?[- ]in[- ]law|schwägerin|cuñada|belle-sœur',
  'mother[- ]in[- ]law|schwiegermutter|suegra|belle-mère',
  'father[- ]in[- ]law|schwiegervater|suegro|beau-père',
  'sons?[- ]in[- ]law|schwiegersohn|yerno|gendre',
  'daughters?[- ]in[- ]law|schwiegertochter|nuera|belle-fille',
  'parents[- ]in[- ]law|in-laws|schwiegereltern|suegros|beaux-parents',
]

const DOGS = 'dogs?|pupp(?:y|ies)|hunde?|perr[oa]s?|chiens?'
const CATS = 'cats?|kittens?|katzen?|kater|gat[oa]s?|chats?'

/** Nouns for belongings, with the words by which a memory names them. */
const OWNED: readonly (readonly [string, string])[] = [
  ['cars?|auto|wagen|coche|voiture', 'cars?|driv(?:e|es|ing)|auto|wagen|fahre?|fährt|coche|conduzco|voiture|conduis'],
  [
    'phones?|smartphone|handy|telefon|teléfono|móvil|téléphone',
    'phones?|smartphone|iphone|handy|telefon|teléfono|móvil|téléphone',
  ],
  ['bikes?|bicycle|fahrrad|bicicleta|bici|vélo', 'bikes?|bicycle|fahrrad|bicicleta|bici|vélo'],
  ['laptop|computer|ordenador|ordinateur', 'laptop|computer|ordenador|ordinateur'],
  ['camera|kamera|cámara', 'camera|kamera|cámara'],
  ['dogs?|hunde?|perr[oa]s?|chiens?', DOGS],
  ['cats?|katzen?|gat[oa]s?|chat', CATS],
  ['pets?|haustiere?|mascotas?', `pets?|haustiere?|mascotas?|${DOGS}|${CATS}`],
]
/** Professional roles, each found by its word. */
const CALLINGS: readonly string[] = [
  'dentists?|zahn(?:arzt|ärztin)|dentista|dentiste',
  'doctors?|gp|physician|arzt|ärztin|médic[oa]|médecin',
  'therapists?|psychologist|therapeut(?:in)?|terapeuta|psicólog[oa]|thérapeute',
  'physiotherapists?|physio',
  'coach|coaches|trainers?|entrenador[a]?|entraîneur',
  'teachers?|tutors?|lehrer(?:in)?|profesor[a]?|professeure?',
  'landlords?|landlady|vermieter(?:in)?|caser[oa]|propriétaire',
  'neighbou?rs?|nachbar(?:in|n|innen)?|vecin[oa]s?|voisine?s?',
  'flatmates?|roommates?|housemates?|mitbewohner(?:in)?|compañer[oa] de piso|colocataires?',
  'mentors?|mentor[a]?',
  'accountants?|steuerberater(?:in)?|contable|comptable',
  'lawyers?|solicitors?|attorneys?|anw[äa]lt(?:in)?|abogad[oa]|avocate?',
  'hairdressers?|barbers?|friseur(?:in)?|peluquer[oa]|coiffeu(?:r|se)',
]

export const ROLES: readonly Role[] = [
  {
    steps: BOSS,
    words: word(
      'boss|bosses|manager|supervisor|team lead|line manager|chef|chefin|vorgesetzter?|jef[ea]|patron|cheffe|supérieure?',
    ),
  },
  { steps: STAFF, words: word('direct reports?|subordinates?|team members?|mitarbeiter|assistants?|subordonnée?s') },
  {
    steps: both('MARRIED_TO'),
    words: word('wife|husband|spouse|ehefrau|ehemann|esposa|esposo|marido|mujer|épouse|époux|mari|femme|frau|mann'),
  },
  {
    steps: PARENT,
    words: word('mother(?![- ]in[- ]law)|mum|mom|mutter|mama|madre|mamá|mère|maman'),
    said: word(
      'mother(?![- ]in[- ]law)|mum|mom|mutter|mama|madre|mamá|mère|maman|daughter(?![- ]in[- ]law)|son(?![- ]in[- ]law)|kids?|child|children|tochter|sohn|hij[oa]|fils|fille',
    ),
  },
  {
    steps: PARENT,
    words: word('father(?![- ]in[- ]law)|dad|vater|papa|padre|papá|père'),
    said: word(
      'father(?![- ]in[- ]law)|dad|vater|papa|padre|papá|père|daughter(?![- ]in[- ]law)|son(?![- ]in[- ]law)|kids?|child|children|tochter|sohn|hij[oa]|fils|fille',
    ),
  },
  { steps: PARENT, words: word('parents?(?![- ]in[- ]law)|eltern|padres') },
  {
    steps: CHILD,
    words: word('sons?(?![- ]in[- ]law)|sohn|söhne|hijo|fils'),
    said: word('sons?(?![- ]in[- ]law)|sohn|söhne|hijo|fils|boys?|twins|baby'),
  },
  {
    steps: CHILD,
    words: word('daughters?(?![- ]in[- ]law)|tochter|töchter|hija|fille'),
    said: word('daughters?(?![- ]in[- ]law)|tochter|töchter|hija|fille|girls?|twins|baby'),
  },
  { steps: CHILD, words: word('child|children|kids?|kind|kinder|hijos|enfants?') },
  relative('brothers?(?![- ]in[- ]law)|bruder|brüder|hermanos?|frères?'),
  relative('sisters?(?![- ]in[- ]law)|schwestern?|hermanas?|sœurs?|soeurs?'),
  ...IN_LAWS.map(relative),
  relative('cousins?|cousine|prim[oa]s?'),
  relative('aunts?|tanten?|tías?'),
  relative('uncles?|onkel|tíos?|oncles?'),
  relative('grandmother|grandma|oma|großmutter|abuela|grand-mère'),
  relative('grandfather|grandpa|opa|großvater|abuelo|grand-père'),
  { steps: both('RELATED_TO'), words: word('siblings?|geschwister|relatives?|family|familie|familia|famille') },
  { steps: both('KNOWS'), words: word('friends?|freund|freundin|freunde|amig[oa]s?|amie?s?') },
  {
    steps: both('COLLABORATES_WITH'),
    words: word('colleagues?|co-?workers?|teammates?|kolleg(?:e|in|en|innen)|colegas?|compañer[oa]s?|collègues?'),
  },
  {
    steps: [{ type: 'CREATED', side: 'in' }],
    words: word(
      'founders?|creators?|authors?|inventors?|gründer(?:in)?|autor(?:in|a)?|fundador(?:a|es)?|fondat(?:eur|rice)|auteure?',
    ),
  },
  { steps: [{ type: 'OWNS', side: 'in' }], words: word('owners?|besitzer(?:in)?|dueñ[oa]|propriétaire') },
  ...OWNED.map(([words, said]) => ({
    steps: [{ type: 'OWNS' as const, side: 'out' as const }],
    words: word(words),
    said: word(said),
  })),
  ...CALLINGS.map(words => ({ steps: both('KNOWS'), words: word(words), said: word(words) })),
  { steps: [{ type: 'MEMBER_OF', side: 'in' }], words: word('members|mitglieder|miembros|membres') },
  { steps: [{ type: 'WORKS_AT', side: 'in' }], words: word('employees|staff|angestellte|empleados|employés') },
]

export const VERBS: readonly Verb[] = [
  {
    types: ['COLLABORATES_WITH'],
    words: word(
      'works? with|worked with|working with|collaborat\\w*|arbeitet mit|zusammen(?:arbeit\\w*)?|trabaja con|travaille avec|mit wem (?:(?:habe|hat|ich) )*(?:ge)?arbeite\\w*|con quién trabaj\\p{L}+|avec qui (?:(?:est-ce que|je) )*travaill\\p{L}+',
    ),
  },
  {
    types: ['REPORTS_TO', 'MANAGES'],
    words: word('reports? to|reported to|reporting to|berichtet(?: an)?|reporta a|rend compte à'),
  },
  { types: ['MEMBER_OF'], words: word('a member|member of|members of|mitglied|miembro|membre|plays? for|played for') },
  { types: ['PART_OF'], words: word('part of|subsidiary of|teil von|parte de|partie de') },
  {
    types: ['LIVES_IN'],
    words: word(
      'lives?|lived|living|resid(?:e|es|ed|ing)|based|home|hometown|address|moved?(?: to)?|moving|wohn(?:t|e|st|te|test|en)|lebt?|lebte|lebst|gewohnt|gelebt|zuhause|gezogen|viv(?:e|o|es|ía|í|ió|en|ido)|reside|mudado|mudó|habit(?:e|es|ais|ait|é)|vi[st]|vivai[st]|réside|déménagé',
    ),
    answers: 'PLACE',
  },
  {
    types: ['BORN_IN'],
    words: word(
      'born|birthplace|from(?= ?\\?)|(?:comes?|came|originally) from|woher (?:kommt|kommst|stammt)|geboren|geburtsort|nac[ií]|naci[óo]|nacid[oa]|née?|naissance',
    ),
    answers: 'PLACE',
  },
  {
    types: ['STUDIED_AT'],
    words: word(
      'stud(?:y|ies|ied|ying)|university|college|school|degree|graduated?|alma mater|attend(?:s|ed)?|studier(?:t|te|en)|universität|hochschule|uni|estudi[aéóo]|estudiaba|universidad|étudi(?:e|é|ait)|études|université',
    ),
    answers: 'ORGANIZATION',
  },
  {
    types: ['WORKS_AT'],
    words: word(
      'works?|worked|working|employ(?:s|ed|er|ers)?|company|compan(?:y|ies)|job|jobs|(?<=(?:does|do) (?:(?:§|i|he|she|they) )+)do|for a living|hired|join(?:s|ed)?|arbeit(?:e|et|est|ete|en)|gearbeitet|angestellt|arbeitgeber|firma|trabaj(?:a|o|as|aba|é|ó|an)|empresa|empleador|travaill(?:e|es|ais|ait|é)|bosse|employeur|entreprise',
    ),
    answers: 'ORGANIZATION',
  },
  {
    types: ['MARRIED_TO'],
    words: word('married|marry|marries|verheiratet|geheiratet|heiratete|casad[oa]|casó|mariée?|épousée?'),
  },
  {
    types: ['DISLIKES'],
    words: word(
      "dislikes?|hates?|hated|(?:not|\\p{L}+n['’]t) (?:\\S+ )?(?:like|love|enjoy)|can['’]t stand|hasst|mag (?:\\S+ )?(?:nicht|kein\\w*)|no (?:me|te|le) gusta|odi[ao]|déteste|n['’]aime pas",
    ),
  },
  {
    types: ['INTERESTED_IN'],
    words: word('learn(?:s|ing)?|lern(?:e|t)|aprend(?:e|o|iendo)|apprend[st]?'),
    said: word('learn\\w*|stud(?:y|ying)|lern\\w*|aprend\\w*|estudi\\w*|appren\\w*|étudie\\w*'),
  },
  {
    types: ['INTERESTED_IN', 'LIKES'],
    words: word('interested|interests?|hobb(?:y|ies)|interessier\\w*|interesa\\w*|intéresse\\w*|passion\\w*'),
  },
  {
    types: ['USES_TECHNOLOGY'],
    words: word(
      'uses?|used|using|technolog(?:y|ies)|tech stack|stack|tools?|programming languages?|programs? in|codes? in|editor|benutz(?:t|e|en)|nutz(?:t|e|en)|verwende(?:t|n)?|technologien|usa|uso|utiliz[ao]|tecnologías?|utilise',
    ),
    answers: 'THING',
  },
  {
    types: ['LIKES', 'INTERESTED_IN'],
    words: word(
      'likes?|liked|loves?|loved|enjoys?|enjoyed|prefers?|preferred|preferences?|favou?rites?|fan of|mag|magst|liebt|gern\\w*|bevorzugt|lieblings\\w*|gusta\\w*|encanta\\w*|prefiere|aime|aimes|adore|préfère',
    ),
  },
  {
    types: ['MANAGES', 'REPORTS_TO'],
    words: word('manag(?:e|es|ed)|leads?|led|heads|supervis(?:e|es|ed)|runs|leitet|führt|dirige|lidera|gestiona|gère'),
  },
  { types: ['PARENT_OF'], words: word('parent of') },
  {
    types: ['OWNS'],
    words: word(
      'owns?|owned|drives?|possess(?:es)?|besitzt|fährt|fahre|conduc[eo]|conduzco|condui[ts]|gehört|posee|possède|belongs? to',
    ),
  },
  {
    types: ['CREATED'],
    words: word(
      'creat(?:e|es|ed)|founded|found|invented|wrote|write|written|built|build|developed|made|gegründet|erstellt|entwickelt|geschrieben|fund[óo]|creó|escribió|fondée?|créée?|écrite?',
    ),
  },
  {
    types: ['VISITED'],
    words: word(
      'visit(?:s|ed)?|travel(?:s|led|ed)?|trips?|been to|went to|gone to|besucht|gereist|visit[óo]|viajó|visité|voyagé',
    ),
    answers: 'PLACE',
  },
  { types: ['KNOWS'], words: word('knows?|knew|met|kennt|kennst|kenne|conoce|conozco|connaît|connais') },
  {
    types: ['LOCATED_IN'],
    words: word(
      'located|situated|headquarter(?:s|ed)?|location|liegt|befindet|sitz|ubicad[oa]|queda|se trouve|située?|siège',
    ),
    answers: 'PLACE',
  },
  { types: ['RELATED_TO'], words: word('related to|verwandt|pariente|apparentée?') },
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
