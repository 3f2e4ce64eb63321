/** Words beside a name by which it is told that it is one, and of what. They are English where no language is given. */

/** Nouns for what has the name beside them: "the publisher Hachette", "Pip, our app". */
export const NOUNS_OF_NAMES = {
  organization:
    `company companies startup startups start-up firm firms agency agencies bank banks publisher publishers employer employers customer
    customers client clients supplier suppliers vendor vendors competitor competitors retailer manufacturer insurer airline charity nonprofit
    ngo consultancy brewery bakery restaurant university school college hospital clinic institute foundation cooperative co-op union club
    band choir orchestra quartet quintet conference festival magazine newspaper studio brand`.split(/\s+/),
  place:
    'city town village suburb neighbourhood neighborhood district island region province hamlet beach valley lake river mountain'.split(
      ' ',
    ),
  thing:
    `app apps tool tools library libraries project projects newsletter podcast book novel film movie series show album song game website blog
    plugin framework database editor language drug medication medicine musical opera painting device gadget fork parser compiler bot codename
    codenamed`.split(/\s+/),
  person:
    `engineer developer designer doctor nurse dentist therapist lawyer teacher professor illustrator photographer journalist consultant
    architect accountant plumber electrician trainer coach mentor student intern colleague colleagues friend friends neighbour neighbor guy
    woman man girl boy lady artist author writer singer actor actress director scientist researcher analyst recruiter landlord paramedic chef
    translator editor hairdresser cousin nephew niece sister brother son daughter`.split(/\s+/),
} as const

/** Stand between such a noun and the name: "a startup called Ecoglow". */
export const NAMING_LINKS = 'called named like : , codenamed ('.split(' ')

/** After one of these a noun says nothing more of the name before it: "Pip, our app for cooks". */
export const NOUN_PHRASE_ENDS = ', . ; : ( ) who which that of for at in from with'.split(' ')

/** As those, and what follows the noun itself: "Pip, an app based on …". */
export const NOUN_FOLLOWERS = [...NOUN_PHRASE_ENDS, 'based', 'written', 'built']

/** Words that introduce a noun which is known: the article, and possessives. */
export const DEFINITE_DETERMINERS = 'the my our his her their'.split(' ')

/** As those, and the articles of any noun. */
export const DETERMINERS = [...DEFINITE_DETERMINERS, 'a', 'an']

/** The object of these verbs is a person. */
export const ADDRESSING_VERBS =
  `email emailed call called ask asked tell told meet met text texted ping pinged message messaged thank thanked invite invited remind reminded
    introduce introduced hug hugged marry married date dating whom cc`.split(/\s+/)

/** After one of these "to" leads to a person: "talked to Shanthi". */
export const TALKING_VERBS =
  `introduced introduce talked talking talk spoke speak speaking said gave lent wrote listened sold married engaged`.split(
    ' ',
  )

/** People alone have one of these: "Ana's birthday". */
export const BELONGINGS_OF_PEOPLE =
  `birthday wedding funeral surname wife husband mother father mum mom dad sister brother son daughter kids parents boyfriend
    girlfriend`.split(/\s+/)

/** Nobody does this with a person: "built with Kamal". */
export const MAKING_VERBS =
  `built written made coded deployed deploy deploys build builds run runs running write writes work works integrate integrated connect start
    started go use`.split(/\s+/)

/** Verbs of what companies do. */
export const COMPANY_ACTS = 'acquired acquires hired hires announced launched raised'.split(' ')

/** Companies alone have these, or name them after a place: "the Berlin office of Contoso", "Contoso's Berlin office". */
export const PARTS_OF_COMPANIES =
  `office offices branch branches department departments division divisions subsidiary subsidiaries headquarters hq campus plant factory
    warehouse showroom outlet succursale filiale sucursal filial`.split(/\s+/)

/** Stand between such a part and the company. */
export const OWNER_LINKS = 'of de du'.split(' ')

/** Verbs whose subject is a company or a product. */
export const ORGANIZATION_VERBS = [...COMPANY_ACTS, ...'headquartered based founded released bought'.split(' ')]

/** Verbs whose subject is a person. */
export const PERSON_VERBS =
  `quit joined works worked lives lived moved left likes loves hates prefers uses wants married said told texted met visited studies studied
    started bought sold knows owns manages`.split(/\s+/)

/** After one of these a clause begins, and with it its subject. */
export const CLAUSE_BEGINNINGS = 'and but , so because when after with und y et that ;'.split(' ')

/** Join the names of a list. */
export const NAME_LINKS = 'and or und oder y e et ou & ,'.split(' ')

/** After one of these a sentence of a chat or a note begins anew, so that a name may without its capital. */
export const NOTE_BEGINNINGS = 'and but so because that when if update : , . ; - – — ( "'.split(' ')

/** Relatives and friends, right before their names: "my brother Ali", "Meine Chefin ist Delia Weiß". */
export const KIN_BEFORE_NAMES = {
  en: `girlfriend boyfriend wife husband partner fiancé fiancée fiance fiancee brother sister mum mom mother dad father son daughter cousin uncle
    aunt grandma grandpa friend colleague coworker boss manager neighbour neighbor roommate flatmate mate dog cat nephew niece`.split(
    /\s+/,
  ),
  de: `chefin chef vorgesetzte vorgesetzter mann frau schwester bruder tochter sohn mutter vater freund freundin kollege kollegin arzt
    ärztin`.split(/\s+/),
} as const

/** Stand before such a relative. */
export const KIN_OWNERS = "my our his her their your 's best".split(' ')

/** Things with a name of their own, which their maker spells as he likes: "an app called pip". */
export const CHRISTENED_NOUNS =
  'app tool library project package bot repo repository service site website cli framework script plugin blog podcast cat dog kitten puppy'.split(
    ' ',
  )

/** A place stands after these, and after "to" behind the verbs of moving. */
export const LOCATIVE_PREPOSITIONS = 'in from near around'.split(' ')
export const MOVING_VERBS =
  `moved move moving relocated went go going gone fly flying flew flown travel travelled traveled trip drove drive back been commute commutes
    emigrated flight flights`.split(/\s+/)

/** A tool stands after "to" behind these. */
export const CHANGING_VERBS = 'switched switching migrated migrating moved ported'.split(' ')

/** An employer stands after "at" or "for" behind these. */
export const WORKING_WORDS =
  `work works working worked job position role engineer developer nurse manager intern interning employed designer analyst
    consultant`.split(/\s+/)

/** German writes every noun with a capital, so that only these make a name of two of them: what stands before, and verbs behind. */
export const BEFORE_GERMAN_NAMES = 'bei chez von zu für'.split(' ')
export const BEHIND_GERMAN_NAMES =
  `ist hat war arbeitet wohnt lebt mag liebt hasst benutzt nutzt verwendet kennt leitet zieht zog studiert heißt kommt besitzt
    fährt`.split(/\s+/)

/** German words with a capital at the beginning of a sentence that are no part of the name behind them. */
export const BEGINNINGS_OF_GERMAN_SENTENCES =
  'gestern heute morgen letzten letzte letztes frau herr anfang ende mitte'.split(' ')

/** May stand before each name of a list: "in Rome and the Hague". */
export const BEFORE_LISTED_NAMES = [...DETERMINERS, ...'to in at dans à en'.split(' ')]

/** May stand between a verb and the name that is its object: "uses a library called Orbit". */
export const FILLERS_BEFORE_NAMES: Readonly<Record<string, readonly string[]>> = {
  en: [
    ...DETERMINERS,
    ...`its this old new used local a.k.a. called named company startup library tool app book novel blog podcast band choir quartet orchestra
      newsletter project festival farm brewery restaurant café cafe label magazine firm amateur small little game bakery shop studio agency
      nonprofit business city town of both team group service to :`.split(/\s+/),
  ],
  de: 'dem der die das den ein eine einen unser unsere einer einem'.split(' '),
  es: 'el la los las un una mi'.split(' '),
  fr: "le les l' une nos mon ma".split(' '),
}
