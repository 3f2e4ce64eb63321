/** Words that the judge knows. Short on purpose: what is not here counts, and texts that differ in it stay apart. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** English auxiliaries that take "n't". */
export const AUXILIARIES = words(
  'do does did is are was were has have had would could should might must need dare ought',
)

/** Before "'m", "'re", "'ve" and "'ll", which stand for one word each. */
export const CONTRACTING = words('i you he she it we they that this there who what these those')

/** Before "'s", which stands for "is", "has" or a possession. */
export const CONTRACTING_S = words('he she it that there what who where here how')

/** After "'s" it can only be "is". */
export const AFTER_IS = words('a an the not my your his her our their in at on from very also always never still')

/** A comma before them says nothing. */
export const CONJUNCTIONS = words(
  'and or but because so und oder aber weil denn sondern et ou mais parce car y pero porque sino',
)

/** A pause behind them changes what they belong to: "No, coffee for Ben". */
export const POLAR = words(
  "no not never none nothing nobody neither nor without don't dont yes yeah stop nein nicht nie niemals kein keine keinen ohne ja " +
    'doch non pas jamais rien sans oui si sí nunca nada sin tampoco',
)

/** Behind "the" they would mean something else without it. */
export const KEEP_THE = words('who which what more less same other only')

/** Verbs after which "that" can be left out. */
export const CLAIMING = words(
  'say says said think thinks thought know knows knew believe believes believed hope hopes hoped',
)

/** After "that" a clause begins that says the same without it. */
export const CLAUSE_SUBJECTS = words('i you he she it we they the my your his her our their')

/** Texts with one of these words hold what must be typed exactly. */
export const SECRETS = words(
  'password passwords passphrase passcode pin secret token key code login username wifi wlan wi-fi ssid passwort kennwort schlüssel ' +
    'geheimnis clé code mot clave contraseña senha',
)

/** Names, places and products that are other words in lower case. Written large in the middle of a sentence they are names. */
export const ALSO_NAMES = words(
  'it us or am who me in on hi ok pa la ma al id may will mark bill rose grace hope faith joy dawn summer autumn april august march june ' +
    'rich frank grant chase hunter mason carol heather holly ivy olive pearl ruby sandy penny art gene jack nick pat ray rob sue ' +
    'drew dean earl duke king prince bishop baker cook smith brown black white green gray young long short stone wood hill field ' +
    'apple amazon meta shell target gap visa oracle windows word excel access edge teams slack notion discord zoom signal swift ' +
    'java python rust go ruby basic scheme spark kafka chrome safari orange subway uber square stripe box drive office outlook ' +
    'polish turkey china chad jordan georgia nice reading bath cork essen hamm halle weise mut klug',
)

/** Units whose letters mean another size when they are large. */
export const SIZED_UNITS = words('k m g t b kb mb gb tb mw kw gw mg mm ma mv mj mpa mhz ms s')
