/** English words as people type them in haste, with what they stand for and its part of speech, as Universal Dependencies calls it. */
export const INFORMAL_SPELLINGS: Readonly<Record<string, readonly [plain: string, partOfSpeech: string]>> = {
  dont: ["don't", 'AUX'],
  doesnt: ["doesn't", 'AUX'],
  didnt: ["didn't", 'AUX'],
  isnt: ["isn't", 'AUX'],
  arent: ["aren't", 'AUX'],
  wasnt: ["wasn't", 'AUX'],
  wont: ["won't", 'AUX'],
  cant: ["can't", 'AUX'],
  havent: ["haven't", 'AUX'],
  hasnt: ["hasn't", 'AUX'],
  wanna: ['want', 'VERB'],
  gonna: ['will', 'AUX'],
  gf: ['girlfriend', 'NOUN'],
  bf: ['boyfriend', 'NOUN'],
  bff: ['friend', 'NOUN'],
  hubby: ['husband', 'NOUN'],
  doc: ['doctor', 'NOUN'],
  mgr: ['manager', 'NOUN'],
  bro: ['brother', 'NOUN'],
  sis: ['sister', 'NOUN'],
  ur: ['your', 'PRON'],
}

/** A pronoun and its verb that are written as one word. */
export const JOINED_SPELLINGS: Readonly<Record<string, readonly [pronoun: string, verb: string]>> = {
  im: ['i', "'m"],
  ive: ['i', "'ve"],
  shes: ['she', "'s"],
  hes: ['he', "'s"],
}

/** Say of a relative or of a job when he or it is one: "my then-boss", "a now-retired nurse". */
export const TIME_PREFIXES = ['now', 'then', 'soon-to-be']
