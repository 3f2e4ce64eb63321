/**
 * Words that turn what follows or comes before into something else, beside denials: doubt, wish, report and what is over. "Ada works at
 * Acme" is contained in "Whoever thinks that Ada works at Acme".
 */
export const TURNING_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: `unless if whether maybe perhaps might could would should believes thinks thought wishes hopes wants wanted said says former
    formerly previously once until used stopped quit ceased longer anymore instead but except denies denied doubts`.split(
    /\s+/,
  ),
  de: 'ob falls vielleicht früher ehemals bis mehr aber statt glaubt'.split(' '),
  es: 'no si quizás quizá antes hasta pero ya'.split(' '),
  fr: 'si peut-être autrefois avant plus mais ne'.split(' '),
}
