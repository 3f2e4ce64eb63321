import type { Wordings } from './wordings.ts'

/** Somebody has one of these at a time, so another value for it is its new one. */
export const SINGLE_VALUES: Wordings = {
  en: [
    /favou?rite [\p{L}-]+(?: [\p{L}-]+)?/u,
    /(?:(?:home|work|private|office) )?(?:(?:mobile|cell)(?: phone)?(?: number)?|phone(?: number)?|e-?mail(?: address)?|address)/u,
    /age|weight|height|blood (?:type|group)|birthday|date of birth|time ?zone|nickname|job title|shoe size/u,
    /native language|mother tongue|(?:number|license|licence) plate|passport number|(?:wi-?fi )?password|pin|username|working hours/u,
  ],
}

/** English words for whom a value belongs to, beside a name: "my address is …", "Ada's new address is …". */
export const VALUE_OWNERS = ['my', "the user's", "user's"]
export const VALUE_ADJECTIVES = ['new', 'current']

/** An age is told after one of these. */
export const AGED = ['i am', 'the user is', 'user is']

/** English words at the end of a statement that only say that it holds today, or that what it denies held before. */
export const TODAY_ENDINGS = ['anymore', 'any more', 'any longer', 'anylonger', 'now']

/** With these English words beside a denial something else may be denied than it seems, or it was so at another time. */
export const DENIAL_BLURRING_WORDS =
  'but if unless or because when while until was were had did will would only just all every both that who which'.split(
    ' ',
  )
