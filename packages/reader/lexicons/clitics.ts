/** An apostrophe joins these to the end of an English word. */
export const CLITIC_ENDINGS = 's m re ve ll d'.split(' ')

/** Words that an apostrophe joins to the beginning of the next one. */
export const ELIDED_WORDS: Readonly<Record<string, readonly string[]>> = {
  fr: 'c d j l m n s t qu jusqu lorsqu puisqu quoiqu'.split(' '),
  it: 'c d l m n s t un gl dell all nell sull dall quell quest'.split(' '),
  ca: 'd l m n s t'.split(' '),
  oc: 'd l m n s t'.split(' '),
}
