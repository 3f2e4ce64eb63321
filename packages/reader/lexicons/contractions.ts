/** English contractions that are written out as a whole. */
export const WHOLE_CONTRACTIONS: Readonly<Record<string, string>> = {
  "can't": 'can not',
  cannot: 'can not',
  "won't": 'will not',
  "shan't": 'shall not',
  "let's": 'let us',
}

/** The words that English endings behind an apostrophe stand for. */
export const CONTRACTED_ENDINGS: Readonly<Record<string, string>> = { m: 'am', re: 'are', ve: 'have', ll: 'will' }

/** These English auxiliaries take "n't". */
export const AUXILIARIES =
  'do does did is are was were have has had would could should might must need dare ought'.split(' ')

/** Each of these takes "'m", "'re", "'ve" or "'ll", which have one reading each. */
export const CONTRACTING = 'i you he she it we they that this there who what these those'.split(' ')

/** After these words "'s" means "is", "has" or a possession. */
export const CONTRACTING_S = 'he she it that there what who where here how'.split(' ')

/** Before these words "'s" can only mean "is". */
export const AFTER_IS = 'a an the not my your his her our their in at on from very also always never still'.split(' ')
