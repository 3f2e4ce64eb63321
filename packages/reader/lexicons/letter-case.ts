/** A text with one of these words contains something that must be typed exactly. */
export const SECRETS: Readonly<Record<string, readonly string[]>> = {
  en: `password passwords passphrase passcode pin secret token key code login username wifi wlan wi-fi ssid`.split(' '),
  de: 'passwort kennwort schlüssel geheimnis'.split(' '),
  fr: 'clé code mot'.split(' '),
  es: 'clave contraseña'.split(' '),
  pt: ['senha'],
}

/** These names, places and products are ordinary words in lower case. A capital in the middle of a sentence makes them names. */
export const ALSO_NAMES =
  `it us or am who me in on hi ok pa la ma al id may will mark bill rose grace hope faith joy dawn summer autumn april
    august march june rich frank grant chase hunter mason carol heather holly ivy olive pearl ruby sandy penny art
    gene jack nick pat ray rob sue drew dean earl duke king prince bishop baker cook smith brown black white green
    gray young long short stone wood hill field apple amazon meta shell target gap visa oracle windows word excel
    access edge teams slack notion discord zoom signal swift java python rust go ruby basic scheme spark kafka
    chrome safari orange subway uber square stripe box drive office outlook polish turkey china chad jordan georgia
    nice reading bath cork essen hamm halle weise mut klug`.split(/\s+/)

/** The case of these units changes their size. */
export const SIZED_UNITS = 'k m g t b kb mb gb tb mw kw gw mg mm ma mv mj mpa mhz ms s'.split(' ')

/** Languages that write every noun with a capital, which therefore tells no name. */
export const CAPITAL_NOUN_LANGUAGES = ['de']
