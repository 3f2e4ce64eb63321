/** Says whether words state a fact, deny it, end it, or only wish for it. */
export type Aspect = 'holds' | 'ended' | 'denied' | 'unreal'

const UNREAL =
  /(?:^| )(?:nearly|almost|want|wants|wanted|would|'d|might|may|could|can|should|must|shall|will|won't|'ll|plan|plans|planned|planning|hope|hopes|hoping|consider|considers|considering|think|thinking|thinks|dream|dreams|dreaming|wish|wishes|going to|trying|try|tries|intend|intends|if|whether|like to|love to|about to|möchte|möchten|will|würde|würden|könnte|wollen|quiero|quiere|quisiera|gustaría|voudrais|voudrait|veut|veux|aimerais|aimerait|pourrait)(?: |$)/
const ENDED =
  /(?:^| )(?:no longer|no more|used to|stopped|ceased|nicht mehr|früher|ya no|(?:ne|n') (?:.* )?plus|formerly|previously)(?: |$)/
const ENDED_AFTER = /^[^.;!?]*? (?:anymore|any more|any longer|no longer)(?: |$)/
/** "mag Salsa nicht mehr" */
const GERMAN_AFTER = /^(?: [^ .,;!?]+){0,4}? (?:nicht|keine?n?) mehr /
const DENIED =
  /(?:^| )(?:not|never|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|haven't|hasn't|hadn't|won't|can't|cannot|neither|nicht|nie|niemals|kein|keine|keinen|keiner|no|nunca|jamás|ne|n'|pas|jamais)(?: |$)/

/**
 * @param words from the subject to the object, in lower case
 * @param after what follows the object
 */
export function aspectOf(words: string, after: string): Aspect {
  if (ENDED.test(words) || GERMAN_AFTER.test(after)) return 'ended'
  if (DENIED.test(words)) return ENDED_AFTER.test(after) ? 'ended' : 'denied'
  return UNREAL.test(words) ? 'unreal' : 'holds'
}
