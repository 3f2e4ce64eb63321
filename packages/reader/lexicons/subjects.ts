/** Words by which the subject of a verb is found. */

/** The one who writes, alone or with others, as a subject. */
export const USER_SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  en: "i we i'm".split(' '),
  de: 'ich wir nutzer nutzerin'.split(' '),
  es: 'yo nosotros nosotras usuario usuaria'.split(' '),
  fr: "j' je nous utilisateur utilisatrice".split(' '),
}

/** Somebody named before. German "sie" is also "they" and "you". */
export const THIRD_PERSON_SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  en: ['he', 'she'],
  de: ['er'],
  es: ['él', 'ella'],
  fr: ['il', 'elle'],
}

/** Several people named before. */
export const PLURAL_SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  en: ['they'],
  es: ['ellos', 'ellas'],
  fr: ['ils', 'elles'],
}

export const RELATIVE_PRONOUNS: Readonly<Record<string, readonly string[]>> = {
  en: ['who', 'which', 'that'],
  de: ['der'],
  fr: ['qui', 'que'],
}

/** Join a verb to another whose subject may be its own. */
export const PREDICATE_LINKS: Readonly<Record<string, readonly string[]>> = {
  en: ', ; : as – — - and but or then so because before after while when where'.split(' '),
  de: 'und aber oder dann'.split(' '),
  es: 'y e pero'.split(' '),
  fr: 'et mais puis'.split(' '),
}

/** May stand between a subject and its verb. */
export const BEFORE_VERBS: Readonly<Record<string, readonly string[]>> = {
  en: `am is are was were be been being 's 'm 're 've 'll 'd has have had do does did don't doesn't didn't isn't aren't wasn't weren't haven't
    hasn't hadn't won't wouldn't can't cannot will would can could may might shall should must not never no longer used to also still now
    currently just recently always really only already often sometimes usually mostly mainly both once again finally since then early late
    want wants wanted plan plans planned planning hope hopes hoping like love loves going trying try tries thinking about considering consider
    considers wish wishes dream dreams of start started starting begin began continue continues stopped get got getting today soon all too last
    year month week long time happily full-time part-time remotely`.split(/\s+/),
  de: `nicht nie mehr hat habe haben ist bin wurde war waren jetzt seit immer auch schon gerne sehr möchte will würde kann
    soll`.split(/\s+/),
  es: 'me se te no nunca ya ha he han ahora también siempre quiero quiere quisiera gustaría'.split(' '),
  fr: `ne n' pas plus jamais me m' se s' te y y'a en a ai ont avons est suis sommes sont était maintenant toujours aussi voudrais veut veux
    aimerais`.split(/\s+/),
}

/** With "our" before it a group of the one who writes: what it uses he uses. English. */
export const OWN_GROUPS = 'team company startup backend frontend app service stack project website codebase'.split(' ')

/** An English noun behind the name that it belongs to: "the Falcon service". */
export const APPOSED_NOUNS =
  'service app application project library framework backend frontend website site tool platform team department group band'.split(
    ' ',
  )

/** Possessives of the one who writes. */
export const POSSESSIVES_OF_USER: Readonly<Record<string, readonly string[]>> = {
  en: ['my', 'our'],
  de: 'mein meine meinen meiner meinem unser unsere unserem unserer'.split(' '),
  es: 'mi mis nuestro nuestra'.split(' '),
  fr: 'mon ma mes notre'.split(' '),
}

/** Possessives of others. */
export const POSSESSIVES_OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  en: 'your his her their'.split(' '),
  de: 'sein seine seiner seinem seinen ihr ihre ihrer ihrem ihren'.split(' '),
  es: ['su', 'sus'],
  fr: ['son', 'sa'],
}

/** English relatives whose names join a list: "Ada and her husband Ben". */
export const RELATIVES_IN_LISTS = 'his her my sister brother wife husband partner'.split(' ')

/** Before a verb in "-ing" these English words make an adverb of it, whose subject is that of the main verb. */
export const ADVERBIAL_CONJUNCTIONS = 'since after before while'.split(' ')

/** An English clause that begins with one of these may name its subject in the next: "Although she grew up in Hanoi, Linh …". */
export const SUBORDINATING_CONJUNCTIONS = [
  ...ADVERBIAL_CONJUNCTIONS,
  ...'although though when because as if once until despite'.split(' '),
]

/** English nouns before the name that a note is about: "Update on Ada: …". */
export const NEWS_WORDS = 'update news note notes info heard word re about regarding'.split(' ')

/** English notes without a subject do not begin with these, and neither are orders and questions about anybody. */
export const NO_NOTE_BEGINNINGS =
  "do does did don't never please will would can could according including regarding during".split(' ')

/** Verbs of notes that leave out their subject: "Got a new job", "wohne in Bonn". */
export const NOTE_VERBS: Readonly<Record<string, readonly string[]>> = {
  en: `can't cannot couldn't not doesn't got broke split chose owner been lost had took gave came ran saw became began found kept led met left
    went bought sold built wrote grew spent flew drove quit born moved spoke made`.split(/\s+/),
  de: 'bin habe hab arbeite wohne lebe nutze benutze'.split(' '),
}

/** A name after one of these belongs to what stands before. */
export const PREPOSITIONS: Readonly<Record<string, readonly string[]>> = {
  en: 'at in of from with for to by on near about under'.split(' '),
  de: 'über bei mit von nach aus für der'.split(' '),
  es: 'en de con para por'.split(' '),
  fr: 'chez à avec pour du de'.split(' '),
}

/** A town's name after one of these English words may be that of a person. */
export const BEFORE_PEOPLE = 'to with met by told asked saw is called named'.split(' ')

/** Join two possessors: "Ada and her", "Ana y su". */
export const CONJUNCTIONS_OF_PEOPLE = 'and und y et'.split(' ')

/** "The user interface": with one of these behind it "user" is no person. English. */
export const USER_COMPOUNDS =
  `interface interfaces experience base guide manual research story stories id ids name names account accounts group groups agent input data table
    profile profiles management settings feedback community password journey flow friendly facing testing interviews`.split(
    /\s+/,
  )

/** After one of these "User" may begin, without an article, what is told of him. English. */
export const BEFORE_USER =
  '- * • – — : ; , . ( " “ and but that because since while when if as so where with of by for'.split(' ')

/** English nouns for several, whom "they" behind them means rather than the user. */
export const PLURAL_NOUNS =
  `children kids sons daughters parents brothers sisters siblings friends colleagues coworkers neighbours neighbors cousins grandparents twins cats
    dogs both companies teams people engineers developers students clients customers`.split(/\s+/)

/** Pronouns of the user where a text tells of "the user", with those that he would use himself. English. */
export const PRONOUNS_OF_USER: Readonly<Record<string, string>> = { they: 'i', their: 'my', them: 'me', theirs: 'mine' }
