/** Wordings that tell of the past. */
export const PAST_WORDINGS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'was/were/had/left/moved/ended',
    'used to',
    'until',
    'former/formerly/previous/previously',
    'before',
    'no longer',
  ],
  de: ['war/hatte', 'früher', 'bis'],
  es: ['era/fue', 'antes', 'hasta'],
  fr: ['était/avait', 'ancien~', "jusque/jusqu'~"],
}

/** Endings of verbs in the past. */
export const PAST_ENDINGS: Readonly<Record<string, readonly string[]>> = {
  en: ['ed'],
  de: ['te'],
  es: ['aba', 'ía'],
  fr: ['ait'],
}
