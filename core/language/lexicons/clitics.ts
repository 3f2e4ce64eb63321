/** An apostrophe joins these to the end of an English word. */
export const CLITIC_ENDINGS = 's m re ve ll d'.split(' ')

/** French words that an apostrophe joins to the beginning of the next one. */
export const ELIDED_WORDS = 'j l d n s m t c qu'.split(' ')
