/** Cardinal numbers in words that texts use in place of digits. */
export const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  en: `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty hundred thousand
    million`.split(/\s+/),
  de: 'zwei drei vier fünf sechs sieben acht neun zehn'.split(' '),
  es: 'dos tres cuatro cinco seis siete ocho nueve diez'.split(' '),
  fr: 'deux trois quatre cinq six sept huit neuf dix'.split(' '),
}

/** Words that tell a quantity without saying how much it is. */
export const ROUGH_QUANTITIES: Readonly<Record<string, readonly string[]>> = {
  en: 'dozen dozens hundred hundreds thousand thousands once twice several couple half'.split(' '),
}
