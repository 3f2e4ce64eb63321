/** English pronouns that stand for others than the one who speaks, or for more, and those of the first person where they are not its subject. */
export const UNCLEAR_PRONOUNS =
  'we us our ours ourselves you your yours they them their theirs themselves mine Me Mine Myself i'.split(' ')

/** English words for several people, to whom "their" could refer. */
export const SEVERAL_PEOPLE = 'and people children men women folk staff family team everyone everybody'.split(' ')

/** English words that join clauses or verbs. */
export const JOINING_WORDS = 'and or but then yet so while not'.split(' ')
