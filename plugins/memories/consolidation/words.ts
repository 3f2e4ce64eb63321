/** Lexicons for the comparison. They are short on purpose: a word that is missing here counts, and texts that differ in it stay apart. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** These English auxiliaries take "n't". */
export const AUXILIARIES = words(
  'do does did is are was were has have had would could should might must need dare ought',
)

/** Each of these takes "'m", "'re", "'ve" or "'ll", which have one reading each. */
export const CONTRACTING = words('i you he she it we they that this there who what these those')

/** After these words "'s" means "is", "has" or a possession. */
export const CONTRACTING_S = words('he she it that there what who where here how')

/** Before these words "'s" can only mean "is". */
export const AFTER_IS = words('a an the not my your his her our their in at on from very also always never still')

/** A comma before a conjunction carries no meaning. */
export const CONJUNCTIONS = words(
  'and or but because so und oder aber weil denn sondern et ou mais parce car y pero porque sino',
)

/** These words begin a place or a time. A comma before them carries no meaning. */
export const PREPOSITIONS = words('on in at during since until near')

/**
 * These words stress a statement and change nothing of it. Degrees ("very", "totally"), limits ("only", "almost") and frequencies ("always")
 * are not among them.
 */
export const EMPHASES = words('really truly actually honestly genuinely definitely absolutely')

/** A pause after these words changes what they belong to: "No, coffee for Ben". */
export const POLAR = words(
  "no not never none nothing nobody neither nor without don't dont yes yeah stop nein nicht nie niemals kein keine keinen ohne ja " +
    'doch non pas jamais rien sans oui si sí nunca nada sin tampoco',
)

/** Before these words "the" is kept, because dropping it would change the meaning. */
export const KEEP_THE = words('who which what more less same other only')

/** After these verbs "that" can be left out. */
export const CLAIMING = words(
  'say says said think thinks thought know knows knew believe believes believed hope hopes hoped',
)

/** These words begin a clause after an optional "that". */
export const CLAUSE_SUBJECTS = words('i you he she it we they the my your his her our their')

/** A text with one of these words contains something that must be typed exactly. */
export const SECRETS = words(
  'password passwords passphrase passcode pin secret token key code login username wifi wlan wi-fi ssid passwort kennwort schlüssel ' +
    'geheimnis clé code mot clave contraseña senha',
)

/** These names, places and products are ordinary words in lower case. A capital in the middle of a sentence makes them names. */
export const ALSO_NAMES = words(
  'it us or am who me in on hi ok pa la ma al id may will mark bill rose grace hope faith joy dawn summer autumn april august march june ' +
    'rich frank grant chase hunter mason carol heather holly ivy olive pearl ruby sandy penny art gene jack nick pat ray rob sue ' +
    'drew dean earl duke king prince bishop baker cook smith brown black white green gray young long short stone wood hill field ' +
    'apple amazon meta shell target gap visa oracle windows word excel access edge teams slack notion discord zoom signal swift ' +
    'java python rust go ruby basic scheme spark kafka chrome safari orange subway uber square stripe box drive office outlook ' +
    'polish turkey china chad jordan georgia nice reading bath cork essen hamm halle weise mut klug',
)

/** The case of these units changes their size. */
export const SIZED_UNITS = words('k m g t b kb mb gb tb mw kw gw mg mm ma mv mj mpa mhz ms s')
