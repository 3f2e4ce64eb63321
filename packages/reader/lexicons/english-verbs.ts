/** English verbs as "I" has them, to tell the same of somebody else. */

/** May stand between the subject and its verb. */
export const ADVERBS = [
  ...`also always never usually often sometimes really still just currently recently already now mostly generally
    normally rarely only absolutely especially occasionally mainly previously once finally actually typically
    frequently regularly originally truly definitely strongly secretly`.split(/\s+/),
  'no longer',
]

/** The same whoever does it. */
export const UNCHANGED_VERBS =
  `was wasn't had hadn't did didn't can can't cannot could couldn't will won't would wouldn't should shouldn't
    might may must mustn't`.split(/\s+/)

/** First forms that look like a past. */
export const BASE_VERBS_IN_ED = `feed speed breed bleed exceed proceed succeed heed seed weed embed shed wed`.split(
  /\s+/,
)

/**
 * The first form. No verb whose past is the same ("put", "read"), for then it is not certain when it was; and no word that as often
 * means something else.
 */
export const BASE_VERBS =
  `accept admire adore agree aim answer appreciate ask attend avoid bake believe belong bike blog bring build buy
    call care carry climb clean code coach collect commute consider consult cook cycle dance deploy develop
    dislike drink drive earn eat enjoy exercise expect fear feel find follow garden get give go grow hate help
    hike hope identify intend invest jog join juggle keep know lead learn leave like listen live look love
    maintain make manage mean meditate meet mentor miss mix need organise organize owe own paint pay plan play
    practise practice pray prefer produce program promise publish receive recommend remember rent report
    research respect ride run sail save say see sell send serve share shop sing skate ski sleep smoke speak
    spend stand start stay struggle study suffer supervise support swim take talk teach tend test think train
    translate travel trust try tutor understand use value visit volunteer wake walk want watch wear weigh wish
    wonder work worry write`.split(/\s+/)

export const PAST_VERBS =
  `became began bought broke brought built came caught chose did drank drew drove ate fell felt flew forgot fought
    found gave got grew heard held kept knew led left lent lost made meant met paid ran rode said sang sat saw
    sent sold spent spoke stood stole swam swore taught threw thought told took understood went woke won wore
    wrote`.split(/\s+/)

/** These stand after a possessive subject, as "has" does in "my sister has a cat", beside the third persons of the verbs. */
export const VERBS_OF_OTHERS =
  "is isn't are aren't wasn't were weren't has hasn't does doesn't ends starts begins expires".split(' ')

/** Before these "'d" is "would". */
export const VERBS_AFTER_WOULD = 'like love prefer rather want be need'.split(' ')
