/** The words and wordings by which texts are read, as data. Each list says what it is for; code takes them from here alone. */
export * from './contractions.ts'
export * from './courtesies.ts'
export * from './days.ts'
export * from './letter-case.ts'
export * from './sentence-openers.ts'
export * from './small-talk.ts'
export * from './statements.ts'
export * from './turning-words.ts'
